import type { JsonObject } from '../../json.js';
import type { ToolOutcome } from '../types.js';
import { CalculationFault, calculate } from './expression.js';
import { failed } from './projectFiles.js';

/** `calculator`: the value of an expression. */
export async function calculator({ expression = '' }: JsonObject): Promise<ToolOutcome> {
  try {
    const result = calculate(String(expression));
    const isExact = typeof result === 'bigint';
    const text = isExact ? String(result) : plainNumber(result);
    const isSafe = !isExact || (-Number.MAX_SAFE_INTEGER <= result && result <= Number.MAX_SAFE_INTEGER);
    // The same expression always has the same result.
    return {
      content: text,
      value: { result: isSafe ? Number(text) : text },
      hints: { source_quality: 'high', validity_period_ms: 24 * 60 * 60 * 1000 },
    };
  } catch (error) {
    if (error instanceof CalculationFault) return failed(error.message);
    throw error;
  }
}

/** A double keeps fifteen digits, so 0.1 + 0.2 is 0.3. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(15)));
}
