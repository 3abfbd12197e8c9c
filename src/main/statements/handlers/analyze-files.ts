import { unlessAborted } from '../../../plan/unless-aborted.ts'
import type { AnalyzeFiles } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { type WrittenColumn, writeRows } from '../write/write-rows.ts'

const COLUMNS: readonly WrittenColumn[] = [
  'discovered',
  'requeued',
  'analyzed',
  'failed',
  'segments',
  'pending',
].map((name) => ({ name, type: 'UBIGINT' }))

/** ANALYZE FILES: analyzes what is new and what has changed, and answers with one row. It goes on if the client leaves. */
export const analyzeFiles: WriteQuery<AnalyzeFiles> = async (node, { fileStatistics, signal }) => {
  const running = fileStatistics.run({ prefix: node.prefix ?? '', isForced: node.isForced })
  const { discovered, requeued, analyzed, failed, segments, pending } = await unlessAborted(running, signal)
  return writeRows(COLUMNS, [[discovered, requeued, analyzed, failed, segments, pending]])
}
