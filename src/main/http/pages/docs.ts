import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { heading, page } from './frame.ts'
import { markdownToHtml } from './markdown.ts'

const FOLDER = fileURLToPath(new URL('../../../../docs', import.meta.url))

/** The page that `/docs/` shows. */
const INDEX = 'index'

/** The documentation of this version as HTML, by the path of a page below `/docs/`. Null: there is no such page. */
export type DocPages = (path: string) => string | null

/** Finds the pages in docs/ when it is called. Each is read and converted when it is asked for the first time. */
export function createDocPages(basePath: string): DocPages {
  const names = new Set(
    globSync('**/*.md', { cwd: FOLDER }).map((file) => file.replaceAll('\\', '/').replace(/\.md$/, '')),
  )
  const cachedPages = new Map<string, string>()

  /** Links between pages lead to pages. What a page links to outside of docs/ is not served. */
  function linkOn(name: string, target: string): string | null {
    if (/^(?:https?:|#)/.test(target)) return target
    const [path = '', hash] = target.split('#')
    const linked = posix.join(posix.dirname(name), path).replace(/\.md$/, '')
    return names.has(linked) ? `${basePath}/docs/${linked}${hash === undefined ? '' : `#${hash}`}` : null
  }

  function make(name: string): string {
    const text = readFileSync(`${FOLDER}/${name}.md`, 'utf8')
    const [, title = name] = /^# (.*)$/m.exec(text) ?? []
    const body = markdownToHtml(text.replace(/^# .*\n/, ''), (target) => linkOn(name, target))
    const links = `<a href="${basePath}/">Home</a><a href="${basePath}/docs/">Documentation</a>`
    return page(basePath, title, `<nav>${links}</nav>\n${heading(basePath, title)}\n${body}`)
  }

  return (path) => {
    const name = path === '' ? INDEX : path
    if (!names.has(name)) return null
    const page = cachedPages.get(name) ?? make(name)
    cachedPages.set(name, page)
    return page
  }
}
