import type { Header } from './header.ts'

/** What comments begin with in the files of data centres. */
const COMMENT_SIGNS = ['#', '//', '%', '!']

const DELIMITERS = [';', '\t', '|', ',']

/**
 * What helps with a record that has another number of fields than the header, as the end of a message: the option that leaves out
 * a line which begins as comments do, or lines above the header, or that names the delimiter. Empty: nothing is known. `line` is
 * the beginning of the record.
 */
export function adviceForFields({ names, dialect, origin }: Header, line: string): string {
  const { comment, delimiter } = dialect
  const [name = ''] = names
  const isRemark = (sign: string): boolean =>
    line.startsWith(sign) || (names.length === 1 && name.startsWith(sign))
  const sign = COMMENT_SIGNS.find(isRemark)
  if (sign !== undefined && comment === '') return `; comment = '${sign}' leaves out lines that begin so`
  if (names.length !== 1 || origin !== 'the header') return ''
  const other = DELIMITERS.find((each) => each !== delimiter && name.includes(each))
  if (other === undefined) return '; skip leaves out lines above the header'
  return `; delimiter = '${other === '\t' ? '\\t' : other}' may be meant, or 'auto'`
}
