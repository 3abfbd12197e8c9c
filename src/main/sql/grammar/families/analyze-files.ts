import type { AnalyzeFiles } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { printText } from '../texts.ts'

/** Parses what follows `ANALYZE`. */
export function parseAnalyzeFiles(reader: StatementReader): AnalyzeFiles {
  reader.expectWords('FILES')
  const prefix = reader.takeText('a folder in single quotes')
  return Object.freeze({ kind: 'analyze_files', prefix, isForced: reader.takeWords('FORCE') })
}

export function printAnalyzeFiles({ prefix, isForced }: AnalyzeFiles): string {
  return `ANALYZE FILES${prefix === null ? '' : ` ${printText(prefix)}`}${isForced ? ' FORCE' : ''}`
}
