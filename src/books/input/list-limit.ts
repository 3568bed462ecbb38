import { z } from 'zod'

// How many rows a list has at most.
export const listLimit = () => z.int().min(1).max(200).default(50)
