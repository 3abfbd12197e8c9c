import type { FunctionFamily } from '../make-call.ts'

/** Functions of texts. */
export const OF_TEXTS: FunctionFamily = []
