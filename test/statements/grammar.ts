/** The grammar of docs/reference/statements.md as data: what it derives, and whether it derives given words. */
import { readFileSync } from 'node:fs'
import { fc } from '../support/generate.ts'

/** A part of a rule, in the notation of the docs. */
type Part =
  | { readonly kind: 'keyword' | 'sign' | 'reference'; readonly text: string }
  | { readonly kind: 'optional' | 'repeated'; readonly of: Part }
  | { readonly kind: 'sequence' | 'choice' | 'interleaved'; readonly of: readonly Part[] }

export type Grammar = ReadonlyMap<string, Part>

/** The one block of the docs that is marked as a grammar. */
export function readGrammar(): Grammar {
  const docs = readFileSync(new URL('../../docs/reference/statements.md', import.meta.url), 'utf8')
  const [, text = ''] = /```grammar\n(.*?)```/s.exec(docs) ?? []
  const rules = text.split(/^(?=\w+ =)/m).filter((rule) => rule.trim() !== '')
  return new Map(rules.map((rule) => parseRule(rule)))
}

function parseRule(rule: string): [name: string, body: Part] {
  const [name = '', equals, ...words] = rule.match(/"[^"]+"|\w+|[[\]{}()|&=]/g) ?? []
  if (equals !== '=') throw new Error(`no rule: ${rule}`)
  const left = words
  const body = choice()
  if (left.length > 0) throw new Error(`unread in ${name}: ${left.join(' ')}`)
  return [name, body]

  function choice(): Part {
    return separated('|', 'choice', interleaved)
  }
  function interleaved(): Part {
    return separated('&', 'interleaved', sequence)
  }
  function separated(sign: string, kind: 'choice' | 'interleaved', parse: () => Part): Part {
    const of = [parse()]
    while (left[0] === sign) {
      left.shift()
      of.push(parse())
    }
    const [only] = of
    return of.length === 1 && only !== undefined ? only : { kind, of }
  }
  function sequence(): Part {
    const of: Part[] = []
    while (left.length > 0 && !')]}|&'.includes(left[0] ?? '')) of.push(single())
    return { kind: 'sequence', of }
  }
  function single(): Part {
    const word = left.shift() ?? ''
    switch (word) {
      case '(':
        return closed(')')
      case '[':
        return { kind: 'optional', of: closed(']') }
      case '{':
        return { kind: 'repeated', of: closed('}') }
    }
    if (word.startsWith('"')) return { kind: 'sign', text: word.slice(1, -1) }
    return { kind: /^[A-Z]+$/.test(word) ? 'keyword' : 'reference', text: word }
  }
  function closed(sign: string): Part {
    const part = choice()
    if (left.shift() !== sign) throw new Error(`"${sign}" is missing in ${name}`)
    return part
  }
}

/** Lists of tokens that a rule derives. `words` generates the tokens of what no rule defines, such as names. */
export function derived(
  grammar: Grammar,
  rule: string,
  words: Readonly<Record<string, fc.Arbitrary<readonly string[]>>>,
): fc.Arbitrary<readonly string[]> {
  const of = (part: Part): fc.Arbitrary<readonly string[]> => {
    switch (part.kind) {
      case 'keyword':
        return fc.constantFrom([part.text], [part.text.toLowerCase()])
      case 'sign':
        return fc.constant([part.text])
      case 'reference':
        return words[part.text] ?? of(ruleOf(grammar, part.text))
      case 'optional':
        return fc.oneof(fc.constant([]), of(part.of))
      case 'repeated':
        return fc.array(of(part.of), { maxLength: 3 }).map((lists) => lists.flat())
      case 'choice':
        return fc.oneof(...part.of.map(of))
      case 'sequence':
        return fc.tuple(...part.of.map(of)).map((lists) => lists.flat())
      case 'interleaved':
        return fc
          .tuple(
            fc.tuple(...part.of.map(of)),
            fc.shuffledSubarray([...part.of.keys()], { minLength: part.of.length }),
          )
          .map(([lists, order]) => order.flatMap((index) => lists[index] ?? []))
    }
  }
  return of(ruleOf(grammar, rule))
}

/** The ends of what a rule derives of the tokens from `start` on. `ends` gives those of what no rule defines. */
export function ends(
  grammar: Grammar,
  rule: string,
  tokens: readonly string[],
  start: number,
  words: Readonly<Record<string, (tokens: readonly string[], at: number) => readonly number[]>>,
): ReadonlySet<number> {
  const after = (part: Part, at: number): ReadonlySet<number> => {
    switch (part.kind) {
      case 'keyword':
        return new Set(tokens[at]?.toUpperCase() === part.text ? [at + 1] : [])
      case 'sign':
        return new Set(tokens[at] === part.text ? [at + 1] : [])
      case 'reference': {
        const found = words[part.text]
        return found === undefined ? after(ruleOf(grammar, part.text), at) : new Set(found(tokens, at))
      }
      case 'optional':
        return new Set([at, ...after(part.of, at)])
      case 'choice':
        return new Set(part.of.flatMap((each) => [...after(each, at)]))
      case 'sequence': {
        let from: ReadonlySet<number> = new Set([at])
        for (const each of part.of)
          from = new Set([...from].flatMap((position) => [...after(each, position)]))
        return from
      }
      case 'repeated': {
        const reached = new Set([at])
        for (const position of reached) for (const end of after(part.of, position)) reached.add(end)
        return reached
      }
      case 'interleaved':
        return interleaved(part.of, at)
    }
  }
  const interleaved = (parts: readonly Part[], at: number): ReadonlySet<number> =>
    parts.length === 0
      ? new Set([at])
      : new Set(
          parts.flatMap((part, index) =>
            [...after(part, at)].flatMap((end) => [...interleaved(parts.toSpliced(index, 1), end)]),
          ),
        )
  return after(ruleOf(grammar, rule), start)
}

function ruleOf(grammar: Grammar, name: string): Part {
  const rule = grammar.get(name)
  if (rule === undefined) throw new Error(`the grammar has no rule ${name}`)
  return rule
}
