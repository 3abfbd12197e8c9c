import { END_OF_STREAM } from '../../plan/arrow/ipc.ts'
import type { LookedUp } from '../catalog/lookups.ts'
import { schemaMessage } from '../output/arrow/arrow-schema.ts'
import { createBody } from '../output/body.ts'
import { OUTPUTS } from '../output/outputs.ts'
import type { RunningQuery } from '../query/run/service.ts'
import { printNotices } from '../query/source/notices.ts'

/** The bytes of an Arrow stream without columns and rows. */
const EMPTY_STREAM = Buffer.concat([schemaMessage({ fields: [], metadata: {} }), END_OF_STREAM])

/** The number of bytes of an empty answer. */
export const EMPTY_BYTES = EMPTY_STREAM.length

/** The answer to a statement that gives no rows: an Arrow stream with an empty schema. */
export function emptyAnswer(
  id: string,
  lookedUp: LookedUp,
  notices: ReadonlySet<string> = new Set(),
): RunningQuery {
  const remainingParts = [EMPTY_STREAM]
  const body = createBody({ next: async () => remainingParts.pop() ?? null, close() {} }, () => {})
  const { contentType, fileName } = OUTPUTS.stream
  return {
    id,
    contentType,
    fileName,
    size: EMPTY_BYTES,
    body,
    fingerprint: null,
    lookedUp,
    notice: notices.size === 0 ? null : printNotices(notices),
    tag: null,
  }
}
