import { firstThat } from '../../../../plan/binary-search.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { getOrMake } from '../../../../plan/get-or-make.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { VERSION_NUMBERS } from '../../../../plan/source/version-numbers.ts'
import type { WholeColumns } from '../../../../plan/source/whole.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { type BlockSummary, digestOfFiles, digestOfNames } from '../../../learned/store/block-summary.ts'
import { type FileBlock, isSameVersion, namesOf, wholeOf } from '../../../learned/store/file-block.ts'
import type { SummarizedBlock } from '../../../learned/store/learned-table.ts'
import type { FileTest } from '../whole/file-test.ts'
import { testOfFiles } from '../whole/files-with-rows.ts'
import type { KnownSums } from './known-sums.ts'
import type { LearnedIndex } from './learned-index.ts'

/** Tests files by a filter and what is learned of their versions. */
export interface LearnedTests {
  inFolder(place: string, constants: FileRef['constants']): FolderTests
}

/** Files of a folder, by ascending names. */
interface FolderTests {
  /** Parts of the files, in their order, whose versions are taken and which are then tested together. */
  partsOf(names: readonly string[]): readonly FolderPart[]
  /** `versions`: the five numbers of each file as it is now, as in `FileBlock`; zeros of what is no regular file. */
  test(part: FolderPart, versions: Versions): TestedFiles
}

/** The files from one index on, before another one. */
export interface FolderPart {
  readonly names: readonly string[]
  readonly from: number
  readonly to: number
  /** The block that has what is learned of them. Null: nothing is. */
  readonly block: SummarizedBlock | null
}

interface TestedFiles {
  /** How many files have no row that passes. */
  readonly pruned: number
  /** Which files remain, as indexes in the part. Null: all. */
  readonly remaining: readonly number[] | null
}

/** The most files of a part of which nothing is learned. */
const PART_FILES = 1024

const NO_BLOCKS: readonly SummarizedBlock[] = Object.freeze([])

const NONE: readonly number[] = Object.freeze([])

/**
 * `schema`: that of the table. With `sums`, files all of whose rows pass are added to these, and remain as little as those of which none does.
 */
export function createLearnedTests(
  index: LearnedIndex,
  schema: Schema,
  filter: Condition | null,
  sums: KnownSums | null = null,
): LearnedTests {
  const testOf = filter && testOfFiles(schema, filter)
  const isTesting = filter !== null || sums !== null

  return {
    inFolder(place, constants) {
      const blocks = isTesting ? index.blocksOf(place) : NO_BLOCKS
      /** By the ids of schemas. */
      const tests = new Map<number, FileTest | null>()

      function fileTestOf(schemaId: number): FileTest | null {
        const cachedTest = tests.get(schemaId)
        if (cachedTest !== undefined) return cachedTest
        const ofFiles = index.schemaOf(schemaId)
        const test = ofFiles === null || testOf === null ? null : testOf(constants, ofFiles)
        tests.set(schemaId, test)
        return test
      }

      /** What becomes of files by what is known of all values of each, or of all of them. */
      function verdictOf(schemaId: number, whole: WholeColumns): Verdict {
        if (filter === null) return 'summed'
        const test = fileTestOf(schemaId)
        if (test === null) return 'remaining'
        if (!test.mayMatch(whole)) return 'pruned'
        return sums !== null && test.conditions.every((_, nth) => test.mustPass(nth, whole))
          ? 'summed'
          : 'remaining'
      }

      /** What becomes of a file. Its rows are added to the sums if all of them pass. */
      function testRow(block: FileBlock, row: number): Verdict {
        const verdict = verdictOf(block.schemas[row] ?? 0, wholeOf(block, row))
        return verdict === 'summed' && sums?.addFile(block, row, constants) !== true ? 'remaining' : verdict
      }

      /** Tests the files of a block all of which are as they were when it was written. Null: it cannot be read. */
      function testUnchanged({ first }: SummarizedBlock, { groups }: BlockSummary): TestedFiles | null {
        const verdicts = groups.map((group) => verdictOf(group.schema, group.whole))
        const block = verdicts.includes('remaining') ? index.blockOf(place, first) : undefined
        if (block === null) return null
        let pruned = 0
        /** Those whose files have to be tested one by one, by the keys of groups. */
        const divided = new Set<string>()
        for (const [nth, group] of groups.entries()) {
          if (verdicts[nth] === 'pruned') pruned += group.files
          else if (verdicts[nth] === 'remaining' || sums?.addGroup(group, constants) !== true)
            divided.add(groupKey(group.schema, group.layout))
        }
        if (divided.size === 0) return { pruned, remaining: NONE }
        const read = block ?? index.blockOf(place, first)
        if (read === null) {
          sums?.giveUp()
          return { pruned, remaining: NONE }
        }
        const remaining: number[] = []
        for (let row = 0; row < read.count; row++) {
          if (!divided.has(groupKey(read.schemas[row] ?? 0, read.layouts[row] ?? 0))) continue
          const verdict = testRow(read, row)
          if (verdict === 'pruned') pruned++
          else if (verdict === 'remaining') remaining.push(row)
        }
        return { pruned, remaining }
      }

      /** Tests files of a block of which some have changed since, or are new or gone. */
      function testEach(block: FileBlock, { names, from, to }: FolderPart, versions: Versions): TestedFiles {
        const namesOfRows = namesOf(block)
        const remaining: number[] = []
        let pruned = 0
        let row = 0
        for (let nth = 0; nth < to - from; nth++) {
          const name = names[from + nth] ?? ''
          while (row < block.count && (namesOfRows[row] ?? '') < name) row++
          const isLearned = namesOfRows[row] === name && isSameVersion(block, row, { versions }, nth)
          const verdict = isLearned ? testRow(block, row) : 'remaining'
          if (verdict === 'pruned') pruned++
          else if (verdict === 'remaining') remaining.push(nth)
        }
        return { pruned, remaining }
      }

      return {
        partsOf: (names) => partsOf(names, blocks),
        test(part, versions) {
          const { block, from, to } = part
          if (block === null) return ALL
          if (block.summary !== null && isUnchanged(part, block, block.summary, versions)) {
            const tested = testUnchanged(block, block.summary)
            if (tested === null) return ALL
            const behind = Array.from({ length: to - from - block.files }, (_, nth) => block.files + nth)
            return behind.length === 0
              ? tested
              : { ...tested, remaining: [...(tested.remaining ?? NONE), ...behind] }
          }
          const read = index.blockOf(place, block.first)
          return read === null ? ALL : testEach(read, part, versions)
        },
      }
    },
  }
}

/** `pruned`: no row passes. `summed`: all rows pass, which follow from what is known. */
type Verdict = 'pruned' | 'summed' | 'remaining'

type Versions = BigInt64Array<ArrayBuffer>

const ALL: TestedFiles = Object.freeze({ pruned: 0, remaining: null })

const groupKey = (schema: number, layout: number): string => `${schema} ${layout}`

/** Whether the first files of a part are those of a block, which has so many. New files may come behind them. */
function isUnchanged(
  { names, from, to }: FolderPart,
  block: SummarizedBlock,
  { digest }: BlockSummary,
  versions: Versions,
): boolean {
  const { files } = block
  if (to - from < files) return false
  const bytes = Buffer.from(versions.buffer, 0, VERSION_BYTES * files)
  const earlier = unchangedFiles.get(block)
  // To compare them takes a hundredth of the time of a digest.
  if (earlier?.names === names && earlier.from === from && earlier.versions.equals(bytes)) return true
  const ofNames = digestOfSome(names, from, files)
  const isSame = digestOfFiles(ofNames, versions.subarray(0, VERSION_NUMBERS * files)).equals(digest)
  if (isSame) unchangedFiles.set(block, { names, from, versions: bytes })
  return isSame
}

const VERSION_BYTES = VERSION_NUMBERS * BigInt64Array.BYTES_PER_ELEMENT

/** Files that had the digest of a block, as long as the block is kept. Their bytes count among those of the block. */
const unchangedFiles = new WeakMap<
  SummarizedBlock,
  { readonly names: readonly string[]; readonly from: number; readonly versions: Buffer }
>()

/** The digests of some of the names of a folder, by where they begin and how many they are, as long as there is the list. */
const digestsOf = memoize((_names: readonly string[]) => new Map<string, Buffer>())

function digestOfSome(names: readonly string[], from: number, count: number): Buffer {
  return getOrMake(digestsOf(names), `${from} ${count}`, () => digestOfNames(names.slice(from, from + count)))
}

/** Each block has the names from its first one on, before the first one of the next. */
function partsOf(names: readonly string[], blocks: readonly SummarizedBlock[]): readonly FolderPart[] {
  const parts: FolderPart[] = []
  const startOf = (block: SummarizedBlock, from: number): number =>
    firstThat(from, names.length, (index) => (names[index] ?? '') >= block.first)
  let from = 0
  const addUnknown = (end: number): void => {
    for (; from < end; from = Math.min(end, from + PART_FILES))
      parts.push({ names, from, to: Math.min(end, from + PART_FILES), block: null })
  }
  for (const [nth, block] of blocks.entries()) {
    addUnknown(startOf(block, from))
    const next = blocks[nth + 1]
    const to = next === undefined ? names.length : startOf(next, from)
    if (to > from) parts.push({ names, from, to, block })
    from = to
  }
  addUnknown(names.length)
  return parts
}
