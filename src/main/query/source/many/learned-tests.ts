import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { ENTRY_BYTES } from '../../../../plan/source/whole.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { columnsFromJson } from '../../../catalog/store/stored-columns.ts'
import {
  type FileBlock,
  hasVersion,
  namesOf,
  startOf,
  type VersionStats,
} from '../../../learned/store/file-block.ts'
import type { LearnedFolders } from '../../../learned/store/learned-table.ts'
import type { FileTest } from '../whole/file-test.ts'
import { testOfFiles } from '../whole/files-with-rows.ts'

/** Tests files by a filter and what is learned of their versions. */
export interface LearnedTests {
  /** Whether a file of a folder may have rows that pass. Files are asked for by ascending names. */
  inFolder(place: string, constants: FileRef['constants']): (name: string, stats: VersionStats) => boolean
}

/** `schema`: that of the table. */
export function createLearnedTests(
  learned: LearnedFolders | null,
  schema: Schema,
  filter: Predicate | null,
): LearnedTests {
  if (filter === null) return { inFolder: () => () => true }
  const testOf = testOfFiles(schema, filter)
  const schemas = new Map<number, Schema | null>()

  function schemaOf(id: number): Schema | null {
    const cachedSchema = schemas.get(id)
    if (cachedSchema !== undefined) return cachedSchema
    const text = learned?.textOf(id) ?? null
    const ofFile = text === null ? null : columnsFromJson(text)
    schemas.set(id, ofFile)
    return ofFile
  }

  return {
    inFolder(place, constants) {
      const blocks = learned?.blocksOf(place) ?? []
      if (blocks.length === 0) return () => true
      /** By the ids of schemas. */
      const tests = new Map<number, FileTest | null>()
      const rowOf = createRows(blocks)
      return (name, stats) => {
        const learnedRow = rowOf(name)
        if (learnedRow === null || !hasVersion(learnedRow.block, learnedRow.row, stats)) return true
        const { block, row } = learnedRow
        const id = block.schemas[row] ?? 0
        let test = tests.get(id)
        if (test === undefined) {
          const ofFile = schemaOf(id)
          test = ofFile && testOf(constants, ofFile)
          tests.set(id, test)
        }
        const { entries, entryEnds } = block
        const [from, to] = [startOf(entryEnds, row), entryEnds[row] ?? 0]
        return test?.mayMatch(entries.subarray(from * ENTRY_BYTES, to * ENTRY_BYTES)) ?? true
      }
    },
  }
}

interface FoundRow {
  readonly block: FileBlock
  readonly row: number
}

/** Finds the rows of files by their names, which ascend from call to call, as they do in the blocks. Null: there is none. */
function createRows(blocks: readonly FileBlock[]): (name: string) => FoundRow | null {
  let nth = 0
  let row = 0
  let names = namesOf(blocks[0])
  return (name) => {
    for (;;) {
      const block = blocks[nth]
      if (block === undefined) return null
      const rowName = names[row]
      if (rowName === undefined) {
        names = namesOf(blocks[++nth])
        row = 0
      } else if (rowName < name) row++
      else return rowName === name ? { block, row } : null
    }
  }
}
