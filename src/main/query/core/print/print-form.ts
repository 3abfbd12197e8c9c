/**
 * A call that SQL has a form of its own for, with its arguments as they are printed. `type` is the name of the type of a cast. Null: the call
 * has another form.
 */
export function printForm(name: string, args: readonly string[], type: string): string | null {
  const [first = '', ...others] = args
  switch (name) {
    case 'not':
      return `(NOT ${first})`
    case 'is_null':
    case 'is_not_null':
      return `(${first} IS ${name === 'is_null' ? '' : 'NOT '}NULL)`
    case 'in':
    case 'not_in':
      return `(${first} ${name === 'in' ? 'IN' : 'NOT IN'} (${others.join(', ')}))`
    case 'between':
      return `(${first} BETWEEN ${others.join(' AND ')})`
    case 'cast':
    case 'try_cast':
      return `${name.toUpperCase()}(${first} AS ${type})`
    default:
      return null
  }
}
