import { escapeHtml } from './frame.ts'

/** The address of a link's target. Null: its text stands without a link. */
export type Link = (target: string) => string | null

/**
 * HTML of the Markdown that the pages in docs/ are written in: headings, paragraphs, fenced code, tables, nested lists, and
 * within lines code, bold text and links. Everything else is plain text.
 */
export function markdownToHtml(text: string, link: Link): string {
  const lines = text.split('\n')
  const html: string[] = []
  let at = 0

  /** The next lines as long as they pass. */
  function take(passes: (line: string) => boolean): string[] {
    const start = at
    while (at < lines.length && passes(lines[at] ?? '')) at++
    return lines.slice(start, at)
  }

  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.startsWith('```')) {
      at++
      const code = take((each) => !each.startsWith('```'))
      at++
      html.push(`<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`)
    } else if (/^#{1,6} /.test(line)) {
      at++
      const level = line.indexOf(' ')
      const title = line.slice(level + 1)
      html.push(`<h${level} id="${slugOf(title)}">${inline(title, link)}</h${level}>`)
    } else if (line.startsWith('|'))
      html.push(
        table(
          take((each) => each.startsWith('|')),
          link,
        ),
      )
    else if (ITEM.test(line)) {
      const items = take((each) => ITEM.test(each) || /^\s+\S/.test(each))
      html.push(list(items, link))
    } else if (line.trim() === '') at++
    else html.push(`<p>${inline(take(isText).join('\n'), link)}</p>`)
  }
  return html.join('\n')
}

/** The id of a heading, as in links to it: lower case, blanks as hyphens, no other punctuation. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

const ITEM = /^(\s*)(?:[*-]|\d+\.) (.*)$/

function isText(line: string): boolean {
  return line.trim() !== '' && !/^(?:```|#{1,6} |\|)/.test(line) && !ITEM.test(line)
}

/** A list of which each line is an item or goes on with one. Items that are indented further are a list in the item before. */
function list(lines: readonly string[], link: Link): string {
  const tag = /^\s*\d/.test(lines[0] ?? '') ? 'ol' : 'ul'
  const indent = indentOf(lines[0] ?? '')
  const items: { text: string[]; inner: string[] }[] = []
  for (const line of lines) {
    const [, , first = line.trim()] = ITEM.exec(line) ?? []
    const item = items.at(-1)
    if (ITEM.test(line) && indentOf(line) <= indent) items.push({ text: [first], inner: [] })
    else if (item && (ITEM.test(line) || item.inner.length > 0)) item.inner.push(line)
    else item?.text.push(first)
  }
  const parts = items.map(({ text, inner }) => {
    const nested = inner.length > 0 ? `\n${list(inner, link)}` : ''
    return `<li>${inline(text.join('\n'), link)}${nested}</li>`
  })
  return `<${tag}>\n${parts.join('\n')}\n</${tag}>`
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function table([head = '', , ...rows]: readonly string[], link: Link): string {
  const row = (line: string, tag: string) => {
    const fields = line
      .slice(1)
      .replace(/\|\s*$/, '')
      .split(/(?<!\\)\|/)
      .map((field) => `<${tag}>${inline(field.trim().replaceAll('\\|', '|'), link)}</${tag}>`)
    return `<tr>${fields.join('')}</tr>`
  }
  const body = rows.map((line) => row(line, 'td')).join('\n')
  return `<div class="scroll"><table>\n${row(head, 'th')}\n${body}\n</table></div>`
}

/** Stands around the number of a piece of code, which is put in at the end: nothing in it is Markdown. */
const MARK = '\ue000'

function inline(text: string, link: Link): string {
  const codes: string[] = []
  const marked = text.replace(/`([^`]+)`/g, (_all, code: string) => `${MARK}${codes.push(code) - 1}${MARK}`)
  return escapeHtml(marked)
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_all, words: string, target: string) => {
      const href = link(target)
      return href === null ? words : `<a href="${href}">${words}</a>`
    })
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\ue000(\d+)\ue000/g, (_all, index) => `<code>${escapeHtml(codes[Number(index)] ?? '')}</code>`)
}
