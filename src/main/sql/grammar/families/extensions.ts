import { parseTableName, printTableName } from '../names.ts'
import type { DropExtension, SetExtension, SetExtensions, ShowExtensions } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { printText } from '../texts.ts'

const KIND = 'the kind of an extension in single quotes'

/** Parses what follows SET. */
export function parseSetExtension(reader: StatementReader): SetExtension | SetExtensions {
  if (reader.takeWords('EXTENSIONS')) {
    reader.expectWords('FOR')
    return Object.freeze({ kind: 'set_extensions', ...parseTarget(reader) })
  }
  reader.expectWords('EXTENSION')
  const extension = reader.expectText(KIND)
  reader.expectWords('FOR')
  return Object.freeze({ kind: 'set_extension', extension, ...parseTarget(reader) })
}

function parseTarget(reader: StatementReader): Pick<SetExtension, 'name' | 'json'> {
  const name = parseTableName(reader)
  reader.expectWords('TO')
  return { name, json: reader.expectText('JSON in single quotes') }
}

/** Parses what follows DROP EXTENSION. */
export function parseDropExtension(reader: StatementReader): DropExtension {
  const extension = reader.expectText(KIND)
  reader.expectWords('FOR')
  return Object.freeze({ kind: 'drop_extension', extension, name: parseTableName(reader) })
}

/** Parses what follows SHOW EXTENSIONS. */
export function parseShowExtensions(reader: StatementReader): ShowExtensions {
  reader.expectWords('FOR')
  return Object.freeze({ kind: 'show_extensions', name: parseTableName(reader) })
}

export function printExtensionStatement(
  node: SetExtension | SetExtensions | DropExtension | ShowExtensions,
): string {
  const name = printTableName(node.name)
  switch (node.kind) {
    case 'set_extension':
      return `SET EXTENSION ${printText(node.extension)} FOR ${name} TO ${printText(node.json)}`
    case 'set_extensions':
      return `SET EXTENSIONS FOR ${name} TO ${printText(node.json)}`
    case 'drop_extension':
      return `DROP EXTENSION ${printText(node.extension)} FOR ${name}`
    case 'show_extensions':
      return `SHOW EXTENSIONS FOR ${name}`
  }
}
