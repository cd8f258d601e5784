export type {
  BaselineReport,
  CaseReport,
  ComparisonReport,
  DriftReport,
  EvalReport,
  MeasureReport,
  OutcomeCounts,
  ReasonReport,
  SuiteReport,
} from '../../generated/types.js';
