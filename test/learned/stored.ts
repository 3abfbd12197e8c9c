import type { LearnedFile, LearnedFiles } from '../../src/main/learned/learned-files.ts'
import { createLearnedStore, type LearnedStoreOptions } from '../../src/main/learned/store/learned-store.ts'
import type { FileFormat } from '../../src/plan/format/file-format.ts'
import { type ArrayLayout, gridOfColumns } from '../../src/plan/source/array-layout.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { packWhole } from '../../src/plan/source/whole.ts'
import { field, type Schema } from '../../src/plan/types/schema.ts'

/** Opens a store of what is learned in a file. Nothing is logged. */
export function openStore(path: string, options: Partial<LearnedStoreOptions> = {}): LearnedFiles {
  return createLearnedStore({ path, serviceVersion: '1', log: { warn() {} }, quietMs: 0, ...options })
}

/** What is stored of files, in their order. */
export async function findAll(
  store: LearnedFiles,
  format: FileFormat,
  files: readonly FileRef[],
): Promise<readonly (LearnedFile | null)[]> {
  const learned: (LearnedFile | null)[] = []
  for await (const some of store.find(format, files)) learned.push(...some)
  return files.map((_, index) => learned[index] ?? null)
}

/** A version of a file. Names ascend with their numbers, as those of a search do. */
export function refOf(nth: number, version: number): FileRef {
  const [inode, mtimeNs] = [BigInt(nth), BigInt(version)]
  const name = `p${String(nth).padStart(4, '0')}.nc`
  return {
    path: name,
    location: `/data/${name}`,
    version: { device: 1n, inode, size: 1n, mtimeNs, ctimeNs: mtimeNs },
  }
}

const SCHEMA: Schema = {
  fields: [field('lat', { kind: 'float', bits: 64 }), field('temp', { kind: 'float', bits: 32 })],
  metadata: {},
}

const isAtomic = false
const LAYOUT: ArrayLayout = {
  dimensions: ['level'],
  arrays: [
    { name: 'lat', field: 0, dimensions: [], chunk: null, isAtomic },
    { name: 'temp', field: 1, dimensions: [0], chunk: null, isAtomic },
  ],
  bytes: [8, 4],
  refused: [],
}

/** What might be known of it: all of its parts follow from its number and its version. */
export function learnedOf(nth: number, version: number): LearnedFile {
  const bound = { kind: 'float', value: nth + version / 1000 } as const
  const statistics = { min: bound, max: bound, isMinExact: true, isMaxExact: true, nulls: nth } as const
  const whole = packWhole([{ field: 0, values: nth + 1, statistics }])
  const arrays = { layout: LAYOUT, sizes: [1 + nth] }
  // The layout of some files tells more than the grid of all columns.
  if (nth % 2 === 1) return { schema: SCHEMA, grid: gridOfColumns(arrays, ['lat', 'temp']), arrays, whole }
  return {
    schema: SCHEMA,
    grid: {
      kind: 'grid',
      leader: 'temp',
      shape: [1 + nth],
      chunk: [1 + nth],
      axes: [{ dimension: 0, name: 'level', column: null, block: 1, statistics: [] }],
      isAtomic: false,
      decodedBytes: [8, 4 + (nth % 3)],
      sharedAxes: [1, 0],
    },
    whole,
  }
}
