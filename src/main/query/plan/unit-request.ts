import type { ScanTask } from '../../../plan/task/task.ts'

/** What a task asks of a unit: the scan, what is made of its rows, and the other units that the same task reads. */
export type UnitRequest = Pick<ScanTask, 'scan' | 'fragment' | 'more'>
