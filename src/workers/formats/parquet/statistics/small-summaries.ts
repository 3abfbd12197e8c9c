import { memoize } from '../../../../plan/memoize.ts'
import { list } from '../../../../plan/source/segments.ts'
import { rowWidth } from '../../../../plan/types/row-width.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import type {
  ParquetSummaries,
  SummaryBounds,
  SummaryColumn,
} from '../../../../wasm/core/parquet-summaries.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { SmallSummary } from '../../provider.ts'
import { viewFooter } from '../metadata/footer.ts'
import { PhysicalType } from '../metadata/metadata.ts'
import { type Column, type Leaf, schemaOf } from '../metadata/schema.ts'

/** Inspects small files in the core, once a file of their layout has been opened. */
export interface SmallSummaries {
  /** What inspecting a file tells. Null: it has to be opened. */
  of(source: ByteSource, core: Core): SmallSummary | null
  /** A file of these columns was opened. */
  learn(source: ByteSource, columns: readonly Column[], core: Core): void
}

interface Layout {
  readonly columns: readonly Column[]
  readonly summaries: ParquetSummaries
}

/** The most layouts that files are compared with. */
const MOST_LAYOUTS = 4

export function createSmallSummaries(): SmallSummaries {
  /** Those of each core, the one that was used last first. After a trap there is another core. */
  const layoutsOf = new WeakMap<Core, Layout[]>()

  return {
    of(source, core) {
      const layouts = layoutsOf.get(core)
      const footer = layouts === undefined ? null : viewFooter(source)
      if (layouts === undefined || footer === null) return null
      for (const [index, layout] of layouts.entries()) {
        const summary = layout.summaries.of(footer, source.size)
        if (summary === null) continue
        if (index > 0) layouts.unshift(...layouts.splice(index, 1))
        const { rows, decodedBytes, storedBytes, whole } = summary
        return {
          schema: schemaOf(layout.columns),
          segments: list([{ rows, decodedBytes, storedBytes }]),
          whole,
        }
      }
      return null
    },
    learn(source, columns, core) {
      const layouts = layoutsOf.get(core) ?? []
      // Files of one layout have the same columns, as long as they follow each other.
      if (layouts.some((each) => each.columns === columns)) return
      const inCore = summaryColumns(columns)
      const footer = inCore === null ? null : viewFooter(source)
      const summaries = inCore && footer && core.parquetSummaries(footer, inCore)
      if (summaries === null) return
      layouts.unshift({ columns, summaries })
      for (const { summaries: oldest } of layouts.splice(MOST_LAYOUTS)) oldest[Symbol.dispose]()
      layoutsOf.set(core, layouts)
    },
  }
}

/** More columns are not told the bounds of, as in an inspection without the core. */
const MOST_COLUMNS = 64

/** The columns as the core tells of them. Null: it does not, for one is nested, or of a type whose bounds it does not read. */
const summaryColumns = memoize((columns: readonly Column[]): readonly SummaryColumn[] | null => {
  if (columns.length > MOST_COLUMNS) return null
  const all: SummaryColumn[] = []
  for (const { leaves } of columns) {
    const [leaf, ...others] = leaves
    const physical = leaf?.element.type
    if (leaf === undefined || physical === undefined || others.length > 0) return null
    if (leaf.path.length > 1 || leaf.maxRepetition > 0 || leaf.maxDefinition > 1) return null
    const bounds = boundsOf(leaf)
    if (bounds === 'others') return null
    const { kind } = leaf.type
    const bits = kind === 'utf8' || kind === 'binary' ? null : rowWidth(leaf.type) * 8
    all.push({ physical, isOptional: leaf.maxDefinition > 0, bits, bounds })
  }
  return all
})

/** How the bounds of a column of numbers are stored. Null: it has none that are told. `others`: in a way that the core does not read. */
function boundsOf({ type, stored, element }: Leaf): SummaryBounds | 'others' | null {
  const isNumber =
    type.kind === 'int' || type.kind === 'float' || type.kind === 'timestamp' || type.kind === 'date'
  if (!isNumber) return null
  switch (element.type) {
    case PhysicalType.float:
      return 'f32'
    case PhysicalType.double:
      return 'f64'
    case PhysicalType.int32:
      if (stored.kind === 'date' && type.kind === 'date' && type.unit === 'millisecond') return 'days'
      return stored.kind === 'int' && !stored.signed ? 'u32' : 'i32'
    case PhysicalType.int64:
      return stored.kind === 'int' && !stored.signed ? 'u64' : 'i64'
    case PhysicalType.int96:
      return null
    default:
      return 'others'
  }
}
