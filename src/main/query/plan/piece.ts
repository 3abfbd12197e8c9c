import type { ScanTask } from '../../../plan/task/task.ts'

/** What is asked of a unit. */
export type Piece = Pick<ScanTask, 'scan' | 'fragment' | 'more'>
