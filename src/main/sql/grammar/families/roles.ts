import { printIdentifier } from '../../text/keywords.ts'
import type { CreateRole, DropRole } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'

/** Parses what follows `CREATE ROLE` or `DROP ROLE`. */
export function parseRole<Kind extends 'create_role' | 'drop_role'>(
  reader: StatementReader,
  kind: Kind,
): Readonly<{ kind: Kind; name: string }> {
  return Object.freeze({ kind, name: reader.expectName('the name of a role') })
}

export function printRole({ kind, name }: CreateRole | DropRole): string {
  return `${kind === 'create_role' ? 'CREATE' : 'DROP'} ROLE ${printIdentifier(name)}`
}
