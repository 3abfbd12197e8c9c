import type { ScanSpec } from '../../plan/scan.ts'
import { isSmallFile } from '../../plan/source/file.ts'
import { rowsIn } from '../../plan/source/range.ts'
import type { FileUnit } from '../../plan/task/task.ts'
import { HELD_BYTES } from '../store/held-memory.ts'

/** Units of small files that follow each other, whose rows are filtered and grouped together. A single unit may be of any file. */
export type Pack = readonly FileUnit[]

/**
 * The most of a pack. Its rows fit into the processor's cache with a few columns, and its files are in memory together while it is
 * read. Beyond some dozens of files, what is done once for a pack is no part of the time.
 */
const MOST_FILES = 256
const MOST_ROWS = 1 << 16

/** Cuts the units of a task into packs. How they are cut depends on the files and on the scan alone. */
export function packsOf(units: readonly FileUnit[], scan: ScanSpec): readonly Pack[] {
  const packs: FileUnit[][] = []
  let pack: FileUnit[] | null = null
  let rows = 0
  let bytes = 0
  for (const each of units) {
    if (!isPackable(each, scan)) {
      packs.push([each])
      pack = null
      continue
    }
    const size = Number(each.file.version.size)
    rows += rowsIn(each.unit) ?? 0
    bytes += size
    if (pack !== null && pack.length < MOST_FILES && rows <= MOST_ROWS && bytes <= HELD_BYTES) {
      pack.push(each)
      continue
    }
    pack = [each]
    packs.push(pack)
    rows = rowsIn(each.unit) ?? 0
    bytes = size
  }
  return packs
}

/** Of files with constants the scan must not read these: as columns of a pack they would be stored row by row. */
function isPackable({ file, unit }: FileUnit, { columns }: ScanSpec): boolean {
  const { constants } = file
  const isRead = constants !== undefined && columns.some(({ name }) => Object.hasOwn(constants, name))
  return (unit.kind === 'rows' || unit.kind === 'box') && isSmallFile(file) && !isRead
}
