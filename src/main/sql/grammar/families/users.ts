import { printIdentifier } from '../../text/keywords.ts'
import type { CreateUser, DropUser, RoleOfUser } from '../node.ts'
import type { ParsedStatement } from '../query-text.ts'
import type { StatementReader } from '../statement-reader.ts'
import { MASK, printText } from '../texts.ts'

/** Parses what follows `CREATE USER`. The password is not a part of the node. */
export function parseCreateUser({ reader, onHidden }: ParsedStatement): CreateUser {
  const name = reader.expectName(USER)
  reader.expectWords('WITH', 'PASSWORD')
  onHidden(reader.expectText('a password in single quotes'))
  return Object.freeze({ kind: 'create_user', name, password: MASK })
}

/** Parses what follows `DROP USER`. */
export function parseDropUser(reader: StatementReader): DropUser {
  return Object.freeze({ kind: 'drop_user', name: reader.expectName(USER) })
}

/** Parses what follows `GRANT ROLE` or `REVOKE ROLE`. */
export function parseRoleOfUser(reader: StatementReader, kind: RoleOfUser['kind']): RoleOfUser {
  const role = reader.expectName('the name of a role')
  reader.expectWords(kind === 'grant_role' ? 'TO' : 'FROM', 'USER')
  return Object.freeze({ kind, role, user: reader.expectName(USER) })
}

export function printCreateUser({ name, password }: CreateUser): string {
  return `CREATE USER ${printIdentifier(name)} WITH PASSWORD ${printText(password)}`
}

export function printDropUser({ name }: DropUser): string {
  return `DROP USER ${printIdentifier(name)}`
}

export function printRoleOfUser({ kind, role, user }: RoleOfUser): string {
  const [verb, preposition] = kind === 'grant_role' ? ['GRANT', 'TO'] : ['REVOKE', 'FROM']
  return `${verb} ROLE ${printIdentifier(role)} ${preposition} USER ${printIdentifier(user)}`
}

const USER = 'the name of a user'
