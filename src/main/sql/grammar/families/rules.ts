import { printIdentifier } from '../../text/keywords.ts'
import { parseTableName, printTableName } from '../names.ts'
import type { AddRule, Privilege, RemoveRule, RoleOfUser, WrittenRule, WrittenTarget } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { printText } from '../texts.ts'
import { parseRoleOfUser } from './users.ts'

/** Those that are parsed. Only SELECT can be granted and denied. */
const PRIVILEGES: readonly Privilege[] = Object.freeze([
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'CREATE',
  'DROP',
  'ALL',
])

/** Parses what follows GRANT. */
export function parseGrant(reader: StatementReader): RoleOfUser | AddRule {
  return reader.takeWords('ROLE') ? parseRoleOfUser(reader, 'grant_role') : parseAdded(reader, 'grant')
}

/** Parses what follows DENY. */
export function parseDeny(reader: StatementReader): AddRule {
  return parseAdded(reader, 'deny')
}

/** Parses what follows REVOKE. */
export function parseRevoke(reader: StatementReader): RoleOfUser | RemoveRule {
  if (reader.takeWords('ROLE')) return parseRoleOfUser(reader, 'revoke_role')
  const rule = parseRule(reader, reader.takeWords('DENY') ? 'deny' : 'grant')
  reader.expectWords('FROM', 'ROLE')
  return Object.freeze({ kind: 'remove_rule', rule, role: reader.expectName(ROLE) })
}

export function printRuleStatement({ kind, rule, role }: AddRule | RemoveRule): string {
  const words = `${rule.privilege} ${printTarget(rule.target)}`
  if (kind === 'add_rule') return `${rule.effect.toUpperCase()} ${words} TO ROLE ${printIdentifier(role)}`
  return `REVOKE ${rule.effect === 'deny' ? 'DENY ' : ''}${words} FROM ROLE ${printIdentifier(role)}`
}

function parseAdded(reader: StatementReader, effect: WrittenRule['effect']): AddRule {
  const rule = parseRule(reader, effect)
  reader.expectWords('TO', 'ROLE')
  return Object.freeze({ kind: 'add_rule', rule, role: reader.expectName(ROLE) })
}

function parseRule(reader: StatementReader, effect: WrittenRule['effect']): WrittenRule {
  const privilege = PRIVILEGES.find((word) => reader.takeWords(word)) ?? reader.unexpected()
  return Object.freeze({ effect, privilege, target: parseTarget(reader) })
}

/** Without one, the rule is about everything. */
function parseTarget(reader: StatementReader): WrittenTarget {
  if (reader.takeWords('ON', 'TABLE')) return Object.freeze({ kind: 'table', name: parseTableName(reader) })
  if (reader.takeWords('ON', 'PATH'))
    return Object.freeze({ kind: 'path', glob: reader.expectText('a path or a glob in single quotes') })
  reader.takeWords('ON', 'ALL')
  return ALL
}

function printTarget(target: WrittenTarget): string {
  switch (target.kind) {
    case 'all':
      return 'ON ALL'
    case 'table':
      return `ON TABLE ${printTableName(target.name)}`
    case 'path':
      return `ON PATH ${printText(target.glob)}`
  }
}

const ALL: WrittenTarget = Object.freeze({ kind: 'all' })

const ROLE = 'the name of a role'
