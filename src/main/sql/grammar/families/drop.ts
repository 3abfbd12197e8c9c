import { parseTableName, printTableName } from '../names.ts'
import type { Drop, DropCrawler, DropExtension, DropRole, DropSecret, DropUser } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { parseDropCrawler } from './crawlers.ts'
import { parseDropExtension } from './extensions.ts'
import { parseDropSecret } from './remotes/secrets.ts'
import { parseRole } from './roles.ts'
import { parseDropUser } from './users.ts'

/** Parses what follows DROP. TABLE and VIEW mean the same. */
export function parseDrop(
  reader: StatementReader,
): Drop | DropUser | DropRole | DropExtension | DropCrawler | DropSecret {
  if (reader.takeWords('USER')) return parseDropUser(reader)
  if (reader.takeWords('ROLE')) return parseRole(reader, 'drop_role')
  if (reader.takeWords('SECRET')) return parseDropSecret(reader)
  if (reader.takeWords('EXTENSION')) return parseDropExtension(reader)
  if (reader.takeWords('CRAWLER')) return parseDropCrawler(reader)
  if (!reader.takeWords('TABLE')) reader.expectWords('VIEW')
  const isIfExists = reader.takeWords('IF', 'EXISTS')
  return Object.freeze({ kind: 'drop', name: parseTableName(reader), isIfExists })
}

export function printDrop({ name, isIfExists }: Drop): string {
  return `DROP TABLE ${isIfExists ? 'IF EXISTS ' : ''}${printTableName(name)}`
}
