import type { ScanTask } from '../../../plan/task/task.ts'

/** What a task asks of a unit: the scan, what is made of its rows, the other units that the same task reads, and if not all rows are wanted, which of them. */
export type UnitRequest = Pick<ScanTask, 'scan' | 'fragment' | 'more' | 'rows' | 'joint'>
