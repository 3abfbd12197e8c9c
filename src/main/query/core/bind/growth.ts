import { sizeOf, type TypedExpression } from '../../../../plan/expression.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { decline } from '../../bind/declined.ts'
import type { SqlExpression } from '../parse/ast.ts'

/**
 * The most parts of expressions that a statement has beside those that are written: each name of a computed column or of an alias stands for
 * the parts of that, and names in these for theirs. Ten queries around each other that name a column eight times would have 8¹⁰.
 */
const MOST_PARTS = 16_384

/** Counts what the names of a statement stand for, before anything goes through it. */
export interface Growth {
  /** The parts so far. */
  parts(): number
  /** Counts further ones. Declines a statement that has too many. `at` is where the name is in it. Null: it is in a JSON request. */
  take(parts: number, at: number | null): void
}

export function createGrowth(): Growth {
  let taken = 0
  return {
    parts: () => taken,
    take(parts, at) {
      taken += parts
      if (taken > MOST_PARTS) decline(`names that stand for more than ${MOST_PARTS} parts of expressions`, at)
    },
  }
}

/** Counts what the names of one query stand for. The first use of a column is not counted: it only moves the parts that the query inside has. */
export interface Uses {
  /** A name stands for an expression over rows. */
  ofRow(expression: TypedExpression, at: number | null): void
  /** A name stands for an expression over groups, which is bound again. */
  ofGroup(written: SqlExpression, at: number | null): void
}

export function createUses(growth: Growth): Uses {
  const used = new Set<TypedExpression>()
  return {
    ofRow(expression, at) {
      if (expression.kind !== 'call') return
      if (used.has(expression)) growth.take(sizeOf(expression).parts, at)
      used.add(expression)
    },
    ofGroup: (written, at) => growth.take(partsWritten(written), at),
  }
}

/** The columns, aggregates, literals and calls of an expression as it is written, without the queries in it. */
const partsWritten = memoize((written: SqlExpression): number => {
  const inside = partsOf(written).map(partsWritten)
  return inside.reduce((sum, parts) => sum + parts, 1)
})

function partsOf(written: SqlExpression): readonly SqlExpression[] {
  switch (written.kind) {
    case 'call':
      return written.args
    case 'within':
      return [written.longitude, written.latitude]
    case 'aggregate':
      return [written.argument, written.by, written.filter].flatMap((part) => part ?? [])
    default:
      return []
  }
}
