/** The day as of which tests judge models, so that no test changes with the calendar. */
export const testDay = '2026-11-27';
