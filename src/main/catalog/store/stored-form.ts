import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '../../../plan/errors.ts'
import { parseJson } from '../../json/json.ts'
import { readMembers } from '../../json/shape.ts'
import type { CreateStatement, StatementNode } from '../../sql/grammar/node.ts'
import { parseStatement } from '../../sql/grammar/parse-statement.ts'
import { printStatement } from '../../sql/grammar/print-statement.ts'
import type { CheckQuery } from '../../sql/grammar/query-text.ts'
import type { Definition } from '../definition.ts'
import { type Extensions, printExtensions } from '../extensions/extension.ts'
import { readExtension, readKind } from '../extensions/read-extension.ts'
import { columnsFromJson, columnsToJson } from './stored-columns.ts'

/** A definition as it is stored. */
export interface StoredDefinition {
  /** The statement as it is printed. */
  readonly statement: string
  /** The columns as JSON. Null: they are not known. */
  readonly columns: string | null
  /** The extensions as JSON. Null: there are none. */
  readonly extensions: string | null
  /** The name of the crawler that has made it. Null: a statement has. */
  readonly owner: string | null
  /** The name of its login (secrets/stored-secrets.ts). Null: it has none of its own. */
  readonly login: string | null
  /** The SHA-256 of statement, columns, extensions and login, in hexadecimal. */
  readonly digest: string
}

/** A change of a definition as it is stored. `key` is the name with the letters A to Z in lower case. */
export type StoredChange =
  | { readonly kind: 'put'; readonly key: string; readonly stored: StoredDefinition }
  | { readonly kind: 'drop'; readonly key: string }

/**
 * The definition in the form in which it is stored. Throws `invalid_sql` if the statement has a character that no UTF-8 text has,
 * and `internal` if it could not be read again at the next start.
 */
export function storedForm({ statement, columns, extensions, owner, login }: Definition): StoredDefinition {
  const text = printStatement(statement)
  const json = columns === null ? null : columnsToJson(columns)
  if (!text.isWellFormed())
    throw new ServiceError(
      'invalid_sql',
      'The statement has half of a surrogate pair, which is no character.',
    )
  if (!isDeepStrictEqual(parseStatement(text, PASSED), statement))
    throw new ServiceError('internal', `A statement is not the same when it is printed and parsed: ${text}`)
  const stored = extensions === undefined ? null : printExtensions(extensions)
  // Of a definition without extensions and a login it is what it was before there were any.
  const more = [stored, login].flatMap((part) => (part == null ? [] : [`\n${part}`]))
  const digest = hash('sha256', `${text}\n${json ?? ''}${more.join('')}`)
  return {
    statement: text,
    columns: json,
    extensions: stored,
    owner: owner ?? null,
    login: login ?? null,
    digest,
  }
}

/** The definition that is stored. `checkQuery` has to let the query of a view pass. Throws an error if it cannot be read. */
export function fromStoredForm(
  { statement, columns, extensions, owner, login }: StoredDefinition,
  checkQuery: CheckQuery,
): Definition {
  const node = parseStatement(statement, checkQuery)
  if (!isCreate(node)) throw new TypeError(`a statement is stored that creates nothing: ${statement}`)
  return Object.freeze({
    statement: node,
    columns: columns === null ? null : columnsFromJson(columns),
    ...(extensions !== null && { extensions: extensionsFromJson(extensions) }),
    ...(owner !== null && { owner }),
    ...(login !== null && { login }),
  })
}

function extensionsFromJson(json: string): Extensions {
  const members = readMembers(parseJson(json), 'extensions')
  return Object.freeze(
    Object.fromEntries(
      [...members].map(([key, value]) => {
        const kind = readKind(key, 'extensions')
        // Columns may have changed since it was set.
        return [kind, readExtension(kind, value, null)]
      }),
    ),
  )
}

function isCreate(node: StatementNode): node is CreateStatement {
  return node.kind === 'create_external_table' || node.kind === 'create_view'
}

/** Of a view that is being created, the query has passed before. */
const PASSED: CheckQuery = () => undefined
