// Properties are tried with the same values in every run, so that a change is judged by what it
// does and not by luck. `PROPERTY_SEED` looks further, as MODEL_SEED and FUZZ_SEED do.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number.parseInt(process.env.PROPERTY_SEED ?? '20261115', 10) })
