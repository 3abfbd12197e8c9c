import { millisecondsOf, versionOfKey } from '../../../../plan/source/version.ts'
import {
  type FileRegistry,
  type FileSegment,
  type RegisteredFile,
  segmentName,
} from '../../../learned/file-registry.ts'

type Row = readonly (string | number | null)[]

/** Files whose rows are made in one turn of the event loop: a millisecond of it. */
const FILES_AT_ONCE = 512

/** The rows of `system.file_stats`, by ascending ids of files. */
export async function* fileStatsRows(
  registry: Pick<FileRegistry, 'list'>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], void> {
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const files = await registry.list(after, FILES_AT_ONCE)
    const last = files.at(-1)
    if (last === undefined) return
    after = last.id
    yield files.map(fileRow)
  }
}

function fileRow({ path, id, state, format, columns, rows, bytes, epoch, version }: RegisteredFile): Row {
  const { size, mtimeNs } = versionOfKey(version)
  // Times before 1970 are no counts.
  const modified = Math.max(0, millisecondsOf(mtimeNs))
  return [path, id, state, format, columns, rows, bytes, epoch, Number(size), modified]
}

/** A row of `system.file_stats_segments`. */
export function segmentRow({ seq, minId, maxId, files, columns }: FileSegment): Row {
  return [segmentName(seq), seq, minId, maxId, files, columns]
}
