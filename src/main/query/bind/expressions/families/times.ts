import type { FunctionFamily } from '../make-call.ts'

/** Functions of dates and times. */
export const OF_TIMES: FunctionFamily = []
