import type { NamedDefinition } from '../../../plan/statement/definition.ts'
import type { Source } from '../../../plan/statement/statement.ts'
import type { SqlPreparedAnswer } from '../../../plan/task/task.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Declinable } from '../bind/declined.ts'
import type { PreparedScan } from '../plan/prepare-scan.ts'
import type { QueryContext } from '../source/query-context.ts'
import type { ResolvedSource } from './sources.ts'

/** A statement that an engine has bound, before the rows of its sources are asked for. */
export interface BoundStatement {
  readonly text: string
  readonly definitions: readonly NamedDefinition[]
  readonly sources: readonly ResolvedSource[]
  /** Whether it reads rows that main has made. */
  readonly hasValues: boolean
  readonly answer: SqlPreparedAnswer
  /** The columns of its answer, with what is said of them. */
  readonly output: Schema
  /** Binds another statement in its place. Null: that names what it is not given. */
  bind(other: OtherStatement): Promise<SqlPreparedAnswer | null>
}

/** A statement with all that it names. */
interface OtherStatement {
  readonly sql: string
  readonly sources: readonly Source[]
  readonly definitions: readonly NamedDefinition[]
  readonly absent: readonly string[]
}

/** Has the whole answer of a bound statement made elsewhere, or says why not. Null: nothing that it reads is elsewhere. */
export type RelayStatement = (
  bound: BoundStatement,
  context: QueryContext,
) => Promise<Declinable<PreparedScan> | null>
