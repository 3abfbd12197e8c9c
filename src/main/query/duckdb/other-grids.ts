import { isServiceError } from '../../../plan/errors.ts'
import { runInSlices } from '../../../plan/steps.ts'
import { type Contract, type OtherGrid, otherGrid, otherGridNotice } from '../source/other-grid.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import { estimatedRows, type ResolvedSource, withoutMetadata } from './sources.ts'

/** The sources of a statement that are read on other grids than those of the contract, because it names arrays that these leave out. */
export interface OtherGrids {
  /** What the statement is refused with if it cannot be bound to other grids either. Null: it reads those of the contract. */
  readonly refusal: unknown
  readonly notices: readonly string[]
  /**
   * The source in place of the one at an index, on the grid of the array that an error of binding is about. Null: no source leaves out
   * such an array, or more than one does.
   */
  replacing(
    error: unknown,
    sources: readonly ResolvedSource[],
  ): Promise<{ readonly index: number; readonly source: ResolvedSource } | null>
}

/** `refusalOf` gives the error that the client gets if the first one stays. */
export function createOtherGrids(
  refusalOf: (error: unknown) => Promise<unknown>,
  context: QueryContext,
): OtherGrids {
  const grids = new Map<number, { readonly contract: Contract; readonly grid: OtherGrid }>()
  let refusal: unknown = null

  async function gridAt(index: number, error: unknown, { source, table, presetScan }: ResolvedSource) {
    if (presetScan !== null || source.request === null || table.format.layout !== 'grid') return null
    const earlier = grids.get(index)
    const contract = earlier?.contract ?? { source: await resolveSource(source.request, context), table }
    const grid = await otherGrid(error, contract, earlier?.grid ?? null, true, context)
    return grid && { contract, grid, index }
  }

  return {
    get refusal() {
      return refusal
    },
    get notices() {
      return [...grids.values()].map(({ grid }) => otherGridNotice(grid))
    },
    async replacing(error, sources) {
      if (!isServiceError(error) || error.column === undefined) return null
      const all = await Promise.all(sources.map((source, index) => gridAt(index, error, source)))
      const [only, ...others] = all.filter((each) => each !== null)
      if (only === undefined || others.length > 0) return null
      const replaced = sources[only.index]
      if (replaced === undefined) return null
      refusal ??= await refusalOf(error)
      grids.set(only.index, only)
      const { files, summaries } = only.grid.table
      const rows = await runInSlices(estimatedRows(files, summaries))
      return {
        index: only.index,
        source: {
          ...replaced,
          source: { ...replaced.source, schema: withoutMetadata(only.grid.table), rows },
          table: only.grid.table,
        },
      }
    },
  }
}
