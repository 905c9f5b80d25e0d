// Triage layer, facts: answers that are worked out once per report, when first asked for.

/** The function, with its answers kept by argument. */
export function remember<K, V>(answer: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = answer(key);
    known.set(key, { value });
    return value;
  };
}

/** The answer, worked out when first asked for. */
export function once<V>(answer: () => V): () => V {
  const get = remember<null, V>(answer);
  return () => get(null);
}
