import type { KnownNames } from '../sql/gate/check-names.ts'
import { readStatement } from '../sql/gate/gate.ts'
import type { CheckQuery } from '../sql/grammar/query-text.ts'
import { invalidSql } from '../sql/text/tokens.ts'

/** Checks the query inside of a statement by the gate, as if it were sent by itself. An EXPLAIN is no query there. */
export function createQueryCheck(names: KnownNames): CheckQuery {
  return (text) => {
    if (readStatement(text, names).kind === 'query') return
    throw invalidSql(text, text.search(/\S/), 'expected a query, found EXPLAIN')
  }
}
