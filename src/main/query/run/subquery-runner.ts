import { readValues } from '../../../plan/arrow/read-values.ts'
import { ServiceError } from '../../../plan/errors.ts'
import { payloadAs } from '../../../plan/task/part.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { FingerprintRecorder } from '../../datasets/fingerprint/fingerprint.ts'
import type { Figures } from '../../history/figures.ts'
import type { SubqueryRunner } from '../core/subqueries/run-subqueries.ts'
import type { QueryServiceOptions } from './options.ts'
import { type RowsOptions, rowsOf } from './rows/rows.ts'

/** Runs the subqueries of a run with its ticket: they are cancelled with it, and their costs are those of the run. */
export function createSubqueryRunner(
  options: QueryServiceOptions,
  run: Pick<RowsOptions, 'id' | 'ticket' | 'onAnswer' | 'renew'> & { readonly figures: Figures },
  fingerprint: Pick<FingerprintRecorder, 'hasConflict'>,
): SubqueryRunner {
  const { figures } = run
  let begun = 0
  return {
    async valuesOf(prepared) {
      const [column] = prepared.plan.output.fields
      if (column === undefined) throw new TypeError('a subquery without columns')
      figures.unitsPruned += prepared.pruned
      figures.chunksSkipped += prepared.chunksSkipped
      begun++
      const holding = options.heldBudget.open()
      const values: (Scalar | null)[] = []
      try {
        const parts = rowsOf(prepared, {
          ...options,
          ...run,
          id: `${run.id}/subquery/${begun}`,
          holding,
          encoding: 'arrow',
          onIdle() {},
          onPruned(units) {
            figures.unitsPruned += units
          },
          onRunWritten(bytes) {
            figures.sortFileBytes += bytes
          },
        })
        for await (const part of parts) {
          const { bytes, metadataBytes } = payloadAs(part, 'arrow')
          values.push(...readValues(bytes, metadataBytes, column.type))
        }
      } finally {
        holding.close()
      }
      return values
    },
    requireOneState() {
      if (fingerprint.hasConflict)
        throw new ServiceError('file_changed', 'A file was changed while it was being queried; ask again.')
    },
  }
}
