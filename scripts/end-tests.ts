import type { Test } from 'tap'

/**
 * Lets a test end all that it began, the last first, and then remove its folder. By itself tap removes a folder first that was made first,
 * which fails while a service writes into it, and forgets what is left to be ended when one thing fails: that keeps the process running.
 * For `beforeEach` of a test around it.
 */
export function endInOrder(test: Test): void {
  const steps: (() => unknown)[] = []
  let hasEnded = false
  // Registered before the folder is made, which is what the order depends on.
  test.teardown(() => {
    hasEnded = true
    return steps.length > 0 ? endAll(steps) : undefined
  })
  function teardown(step: () => unknown): void {
    if (hasEnded) void endAll([step])
    else steps.push(step)
  }
  // Not assigned: tap would give that to its plugin.
  Object.defineProperties(test, { teardown: { value: teardown }, after: { value: teardown } })
}

/** Takes all steps, the last first, even if some fail. */
async function endAll(steps: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.join('\n'))
  if (errors.length === 1) throw errors[0]
}
