import { printIdentifier } from '../../text/keywords.ts'
import type { CreateCrawler, DropCrawler, RunCrawler } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { printText } from '../texts.ts'
import { parseOptions, printOptions } from './options.ts'

/** Parses what follows `CREATE CRAWLER`. */
export function parseCreateCrawler(reader: StatementReader): CreateCrawler {
  const name = reader.expectName(CRAWLER)
  const prefix = reader.takeWords('ON') ? reader.expectText('a folder in single quotes') : null
  const options = reader.takeWords('WITH') ? parseOptions(reader) : Object.freeze([])
  return Object.freeze({ kind: 'create_crawler', name, prefix, options })
}

/** Parses what follows `RUN`. */
export function parseRunCrawler(reader: StatementReader): RunCrawler {
  reader.expectWords('CRAWLER')
  const name = reader.expectName(CRAWLER)
  return Object.freeze({ kind: 'run_crawler', name, isDry: reader.takeWords('DRY') })
}

/** Parses what follows `DROP CRAWLER`. */
export function parseDropCrawler(reader: StatementReader): DropCrawler {
  return Object.freeze({ kind: 'drop_crawler', name: reader.expectName(CRAWLER) })
}

export function printCreateCrawler({ name, prefix, options }: CreateCrawler): string {
  return [
    `CREATE CRAWLER ${printIdentifier(name)}`,
    ...(prefix === null ? [] : [`ON ${printText(prefix)}`]),
    ...(options.length === 0 ? [] : [`WITH ${printOptions(options)}`]),
  ].join(' ')
}

export function printRunCrawler({ name, isDry }: RunCrawler): string {
  return `RUN CRAWLER ${printIdentifier(name)}${isDry ? ' DRY' : ''}`
}

export function printDropCrawler({ name }: DropCrawler): string {
  return `DROP CRAWLER ${printIdentifier(name)}`
}

const CRAWLER = 'the name of a crawler'
