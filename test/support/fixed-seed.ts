// Property tests use the same values in every run, so that only a change can make them fail.
// `PROPERTY_SEED` tries others, like MODEL_SEED and FUZZ_SEED.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number.parseInt(process.env.PROPERTY_SEED ?? '20261115', 10) })
