import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { memoizeLast } from '../../../../plan/memoize.ts'
import { gridOfColumns } from '../../../../plan/source/array-layout.ts'
import { type FileRef, isSmallFile } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { hasWholeColumn } from '../../../../plan/source/whole.ts'
import { createSlice, isTrueOfAll } from '../../../../plan/steps.ts'
import { fieldIndexes } from '../../../../plan/types/schema.ts'
import { createKeptLists } from './kept-lists.ts'
import { MOST_FEW } from './most-few.ts'
import type { PlannedFiles, Summaries } from './summaries.ts'
import type { WantedOfFiles } from './wanted.ts'

/** The most columns of which it is known that a query has compared or aggregated them. */
const NAMED_COLUMNS = 1024

/**
 * Summaries that derive the grids of columns of many small files from the layouts of their arrays. So a query does not have such files
 * inspected again because it reads other columns than an earlier one, or than its own first step. All values of a longer array
 * are learned for the second query that names it: to read the files takes the first one less time than to inspect them before.
 */
export function withDerivedGrids(summaries: Summaries): Summaries {
  const named = createLru<true>(NAMED_COLUMNS)
  /** By the summaries of all columns that they were derived from: queries of the same columns follow each other. */
  const derivedLists = createKeptLists<readonly FileSummary[], readonly FileSummary[]>()

  /** The columns among `names` that another query has named before. */
  function namedBefore({ key }: FileFormat, names: readonly string[]): ReadonlySet<string> {
    const before = new Set(names.filter((name) => named.get(`${key}:${name}`)))
    for (const name of names) named.put(`${key}:${name}`, true)
    return before
  }

  return {
    ...summaries,
    async of(format, files, wanted, ticket, onAnswer) {
      const { columns } = wanted
      const small = files.length > MOST_FEW && columns.length > 0 ? await smallFiles(files) : []
      if (format.layout !== 'grid' || small.length === 0)
        return summaries.of(format, files, wanted, ticket, onAnswer)
      const base = await summaries.of(
        format,
        small,
        { ...wanted, statistics: [], columns: [] },
        ticket,
        onAnswer,
      )
      const isLearned = namedBefore(format, wanted.statistics)
      const derivedKey = JSON.stringify([wanted.statistics, [...isLearned], columns])
      const derivedBefore = derivedLists.find(base.summaries, derivedKey)
      if (small === files && derivedBefore !== undefined) return { ...base, summaries: derivedBefore }
      const planned = [...files]
      const derivedSummaries: FileSummary[] = new Array(files.length)
      const underived: number[] = []
      const slice = createSlice()
      let at = 0
      let next = 0
      for (const file of files) {
        if (slice.isOver()) await slice.next()
        const index = next++
        const isBased = isSmallFile(file)
        const baseSummary = isBased ? base.summaries[at] : undefined
        const now = isBased ? base.files[at] : undefined
        if (isBased) at++
        const derived = baseSummary === undefined ? null : derivedOf(baseSummary, wanted, isLearned)
        if (derived === null || now === undefined) underived.push(index)
        else {
          derivedSummaries[index] = derived
          planned[index] = now
        }
      }
      if (underived.length === 0 && small === files) {
        derivedLists.keep(base.summaries, derivedKey, derivedSummaries)
        return { ...base, summaries: derivedSummaries }
      }
      if (underived.length === 0) return { files: planned, summaries: derivedSummaries, documents: [] }
      const asked = underived.flatMap((index) => files[index] ?? [])
      const others = await summaries.of(format, asked, { ...wanted, areMany: true }, ticket, onAnswer)
      return (
        withOthers(planned, derivedSummaries, underived, others) ??
        summaries.of(format, files, wanted, ticket, onAnswer)
      )
    },
  }
}

/** All files in their order. Null: the others are not as many as were asked for, since folders are divided. */
function withOthers(
  files: FileRef[],
  summaries: FileSummary[],
  underived: readonly number[],
  others: PlannedFiles,
): PlannedFiles | null {
  if (others.files.length !== underived.length) return null
  for (const [at, index] of underived.entries()) {
    const [file, summary] = [others.files[at], others.summaries[at]]
    if (file === undefined || summary === undefined) return null
    files[index] = file
    summaries[index] = summary
  }
  return { files, summaries, documents: others.documents }
}

/** The list itself, if all files are small. */
async function smallFiles(files: readonly FileRef[]): Promise<readonly FileRef[]> {
  return (await isTrueOfAll(files, isSmallFile)) ? files : files.filter(isSmallFile)
}

/** The grid of columns, once for all files with the same arrays. */
const gridOfNamed = memoizeLast(gridOfColumns)

/** The summary of the columns that are named. Null: it does not follow from that of all columns. */
function derivedOf(
  base: FileSummary,
  { columns, statistics }: WantedOfFiles,
  isLearned: ReadonlySet<string>,
): FileSummary | null {
  const { arrays, omitted } = base
  if (arrays === undefined || omitted !== undefined) return null
  if (!statistics.every((name) => isKnown(base, name) || !(isLearned.has(name) || isShort(base, name))))
    return null
  const segments = gridOfNamed(arrays, columns)
  return segments && { ...base, segments }
}

/** Whether there is nothing to learn of all values of a column: they are known, or it is no array of numbers with one dimension or none. */
function isKnown({ schema, arrays, whole }: FileSummary, name: string): boolean {
  const field = fieldIndexes(schema.fields).get(name)
  if (field === undefined || (whole !== undefined && hasWholeColumn(whole, field))) return true
  const kind = schema.fields[field]?.type.kind
  const isNumber = kind === 'int' || kind === 'float' || kind === 'timestamp'
  const array = isNumber ? arrays?.layout.arrays.find((each) => each.field === field) : undefined
  return array === undefined || array.dimensions.length > 1
}

/** An array of so many values is learned for the first query that names it. */
const SHORT = 64

function isShort({ schema, arrays }: FileSummary, name: string): boolean {
  const field = fieldIndexes(schema.fields).get(name)
  const array = arrays?.layout.arrays.find((each) => each.field === field)
  const [dimension] = array?.dimensions ?? []
  return dimension === undefined || (arrays?.sizes[dimension] ?? 0) <= SHORT
}
