/**
 * A function that computes its result once for each object, by identity. The object must not change. The result is freed with the
 * object. What throws is computed again.
 */
export function memoize<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const results = new WeakMap<K, { readonly result: V }>()
  return (object) => {
    const earlier = results.get(object)
    if (earlier !== undefined) return earlier.result
    const result = compute(object)
    results.set(object, { result })
    return result
  }
}

/** The same for a function with a second argument, of which each object remembers the last one, by `===`. */
export function memoizeLast<K extends object, A, V>(
  compute: (object: K, argument: A) => V,
): (object: K, argument: A) => V {
  const results = new WeakMap<K, { readonly argument: A; readonly result: V }>()
  return (object, argument) => {
    const earlier = results.get(object)
    if (earlier !== undefined && earlier.argument === argument) return earlier.result
    const result = compute(object, argument)
    results.set(object, { argument, result })
    return result
  }
}
