import { hasWildcard, nameTest } from './glob.ts'
import { parsePath } from './path.ts'

/**
 * Patterns of rules, by which many paths are decided. As in a query, a pattern without wildcards or with a `/` at its end names the file, or
 * all files below the folder; other than in a query, wildcards match names that begin with a dot.
 *
 * The patterns are one tree of their levels, and what they make of a folder is found once for all of its files. A pattern that cannot match
 * below a folder costs nothing there, and one that matches everything below it decides the whole folder.
 */
export interface PatternSet {
  /** Whether there is no pattern, so that nothing matches. */
  readonly isEmpty: boolean
  /** Whether a path of these names, and each path below it, matches. */
  coversBelow(names: readonly string[]): boolean
  /** Whether a path of these names, or one below it, may match. */
  mayMatchBelow(names: readonly string[]): boolean
  /** A test of paths that remembers the folders of those before. It serves one list of paths. */
  matcher(): (path: string) => boolean
}

/** Patterns whose levels so far are the same. */
interface Node {
  readonly id: number
  /** By the names that are written. */
  readonly literals: Map<string, Node>
  /** By the text of levels with wildcards. */
  readonly wilds: Map<string, { readonly test: (name: string) => boolean; readonly next: Node }>
  /** Reached by a `**`: it stays, whatever name comes. */
  readonly isLoop: boolean
  /** What follows a `**`, which may match no name at all. */
  loop: Node | null
  /** Whether a pattern ends here. */
  isEnd: boolean
}

/** What the patterns make of a folder. */
interface State {
  /** Those that may match below it, or the folder itself. Empty: none does. */
  readonly nodes: readonly Node[]
  /** Whether everything below it matches as well. */
  readonly isCovered: boolean
  /** By the names that nodes have written. */
  readonly literals: readonly ReadonlyMap<string, Node>[]
  /** The levels with wildcards by which a name in the folder may match, each once. */
  readonly wilds: readonly ((name: string) => boolean)[]
}

/** The most folders whose states are remembered by the nodes in them. There are as many as rules have forms, which is few. */
const MOST_STATES = 4096

/** The patterns may have any number of levels. Throws `invalid_path` for one that is no path. */
export function createPatternSet(patterns: readonly string[]): PatternSet {
  let nodes = 0
  const root = newNode(false)
  for (const pattern of patterns) add(pattern)
  const states = new Map<string, State>()
  const top = stateOf(patterns.length === 0 ? [] : [root])

  function newNode(isLoop: boolean): Node {
    return { id: nodes++, literals: new Map(), wilds: new Map(), isLoop, loop: null, isEnd: false }
  }

  function add(pattern: string): void {
    const { names, isFolder } = parsePath(pattern)
    const isBelow = isFolder || !names.some(hasWildcard)
    let at = root
    for (const name of isBelow ? [...names, '**'] : names) at = below(at, name)
    at.isEnd = true
  }

  function below(at: Node, name: string): Node {
    if (name === '**') {
      // `**` after `**` matches nothing more.
      if (at.isLoop) return at
      at.loop ??= newNode(true)
      return at.loop
    }
    if (!hasWildcard(name)) {
      const next = at.literals.get(name) ?? newNode(false)
      at.literals.set(name, next)
      return next
    }
    const next = at.wilds.get(name)?.next ?? newNode(false)
    if (!at.wilds.has(name)) at.wilds.set(name, { test: nameTest(name), next })
    return next
  }

  function stateOf(reached: readonly Node[]): State {
    const all = new Map(reached.map((node) => [node.id, node]))
    for (const { loop } of reached) if (loop !== null) all.set(loop.id, loop)
    const key = [...all.keys()].toSorted((a, b) => a - b).join()
    const cachedState = states.get(key)
    if (cachedState !== undefined) return cachedState
    const nodes = [...all.values()]
    const isCovered = nodes.some(({ isLoop, isEnd }) => isLoop && isEnd)
    const wilds = new Map(
      nodes.flatMap((node) => Array.from(node.wilds).filter(([, { next }]) => ends(next))),
    )
    const state: State = {
      nodes: isCovered ? [] : nodes,
      isCovered,
      literals: nodes.flatMap(({ literals }) => (literals.size === 0 ? [] : [literals])),
      wilds: Array.from(wilds.values(), ({ test }) => test),
    }
    if (states.size === MOST_STATES) states.clear()
    states.set(key, state)
    return state
  }

  /** The state of a folder, or of a file, in a folder. */
  function advance(state: State, name: string): State {
    if (state.isCovered || state.nodes.length === 0) return state
    const next: Node[] = []
    for (const node of state.nodes) {
      if (node.isLoop) next.push(node)
      const literal = node.literals.get(name)
      if (literal !== undefined) next.push(literal)
      for (const wild of node.wilds.values()) if (wild.test(name)) next.push(wild.next)
    }
    return stateOf(next)
  }

  const stateAt = (names: readonly string[]): State => names.reduce(advance, top)

  return Object.freeze<PatternSet>({
    isEmpty: patterns.length === 0,
    coversBelow: (names) => stateAt(names).isCovered,
    mayMatchBelow(names) {
      const { isCovered, nodes } = stateAt(names)
      return isCovered || nodes.length > 0
    },
    matcher() {
      const folders = new Map<string, State>([['', top]])
      let lastFolder = ''
      let last = top

      function stateOfFolder(folder: string): State {
        const cachedState = folders.get(folder)
        if (cachedState !== undefined) return cachedState
        const end = folder.lastIndexOf('/')
        const state = advance(stateOfFolder(end < 0 ? '' : folder.slice(0, end)), folder.slice(end + 1))
        folders.set(folder, state)
        return state
      }

      return (path) => {
        const end = path.lastIndexOf('/')
        const folder = end < 0 ? '' : path.slice(0, end)
        if (folder !== lastFolder) {
          last = stateOfFolder(folder)
          lastFolder = folder
        }
        return last.isCovered || matchesIn(last, path.slice(end + 1))
      }
    },
  })
}

/** Whether a name in a folder matches, of which not everything does. */
function matchesIn({ literals, wilds }: State, name: string): boolean {
  for (const each of literals) {
    const nextState = each.get(name)
    if (nextState !== undefined && ends(nextState)) return true
  }
  for (const test of wilds) if (test(name)) return true
  return false
}

/** Whether a path that reaches a node matches. */
function ends({ isEnd, loop }: Node): boolean {
  return isEnd || loop?.isEnd === true
}
