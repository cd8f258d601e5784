/** The names a model may have in the table, the most exact first: unchanged, its base, its base without date or revision. */
export function modelNames(modelName: string): string[] {
  const names = [modelName];
  let base = modelName;
  if (isFineTuned(modelName)) base = modelName.split(':')[1] ?? '';
  else if (modelName.startsWith('models/')) base = modelName.slice('models/'.length);
  if (base !== modelName) names.push(base);
  const plain = base.replace(/[-@](?:\d{4}-\d{2}-\d{2}|20\d{6}|\d{3,4}|latest)$/, '');
  if (plain !== base) names.push(plain);
  return names;
}

/** Whether a name is that of a fine-tuned model: `ft:{base}:{organisation}::{id}`. */
export function isFineTuned(modelName: string): boolean {
  return modelName.startsWith('ft:');
}
