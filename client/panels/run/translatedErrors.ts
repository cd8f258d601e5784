import type { ErrorKey } from '../../../core/errorTitles.js';
import type { Translate } from '../../../core/words.js';

/** The titles of errors in the user's language; their texts are those of `errorTitles`. */
export function translatedErrors(t: Translate): Readonly<Record<ErrorKey, string>> {
  return {
    'unknown-agent-config': t('There is no such agent'),
    'config-syntax': t('A file is not valid JSON'),
    'config-invalid': t('The configuration has errors'),
    'input-invalid': t('The input does not fit'),
    'output-invalid': t('The answer does not fit the schema'),
    parse: t('The reply could not be read'),
    'llm/no-provider': t('The provider is not available here'),
    'llm/no-key': t('The key is missing'),
    'llm/auth': t('The key was refused'),
    'llm/not-found': t('The model was not found'),
    'llm/rate-limit': t('The provider limits the number of requests'),
    'llm/quota': t('The account has no credit left'),
    'llm/context-length': t('The prompt is too long for the model'),
    'llm/content-filter': t('The content filter of the provider stepped in'),
    'llm/refusal': t('The model declined to answer'),
    'llm/length': t('The answer was cut off'),
    'llm/incomplete': t('The answer is not complete'),
    'llm/bad-request': t('The provider did not accept the request'),
    'llm/server': t('The provider has failed'),
    'llm/network': t('The connection to the provider failed'),
    'tool-execution': t('A tool failed'),
    timeout: t('The time limit was reached'),
    'max-iterations': t('No answer within the allowed turns'),
    'budget-exceeded': t('The budget was used up'),
    'recursion-limit': t('The limit of teams was reached'),
    'no-route': t('No route leads on'),
    'secret-missing': t('A secret is missing'),
    denied: t('Not allowed'),
    'replay-mismatch': t('The run differs from its recording'),
    storage: t('The run could not be saved'),
    cancelled: t('Cancelled'),
    internal: t('This is a fault of Agent Stack'),
  };
}
