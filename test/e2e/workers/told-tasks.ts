/** The channel on which the workers of tests tell the kinds of their tasks. */
export const TASKS = 'tasks'

/** The channel on which a test tells its workers to go on, or to die. */
export const GATE = 'gate'
