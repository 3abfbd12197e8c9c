/** What was used last, by key; beyond so many entries the one that was longest not used is forgotten. */
export interface Recent<T> {
  get(key: string): T | undefined
  put(key: string, value: T): void
}

export function createRecent<T>(capacity: number): Recent<T> {
  const values = new Map<string, T>()
  const put = (key: string, value: T): void => {
    values.delete(key)
    values.set(key, value)
    for (const oldest of values.keys()) {
      if (values.size <= capacity) break
      values.delete(oldest)
    }
  }
  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) put(key, value)
      return value
    },
    put,
  }
}
