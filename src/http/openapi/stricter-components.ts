// Of two components of the OpenAPI document that differ only in what they require, the stricter is written as the other
// and what it requires beside. It says the same, and generators that make a class of each shape make one of both.

interface Shape {
  type?: string;
  description?: string;
  required?: string[];
  properties?: object;
  examples?: unknown;
}

export function tieStricterComponents(schemas: Record<string, unknown>): void {
  for (const names of alikeButForRequired(schemas)) {
    const required = (name: string) => (schemas[name] as Shape).required ?? [];
    const [loosest = '', ...others] = names.toSorted((one, other) => required(one).length - required(other).length);
    for (const name of others) {
      const { description, examples } = schemas[name] as Shape;
      const more = required(name).filter((property) => !required(loosest).includes(property));
      if (more.length + required(loosest).length !== required(name).length) continue;
      schemas[name] = {
        ...(description === undefined ? {} : { description }),
        allOf: [{ $ref: `#/components/schemas/${loosest}` }],
        ...(more.length === 0 ? {} : { required: more }),
        ...(examples === undefined ? {} : { examples }),
      };
    }
  }
}

function alikeButForRequired(schemas: Record<string, unknown>): string[][] {
  const named = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(schemas) as [string, Shape][]) {
    if (schema.type !== 'object' || schema.properties === undefined) continue;
    const { required: _required, description: _description, examples: _examples, ...shape } = schema;
    const spelled = JSON.stringify(shape);
    named.set(spelled, [...(named.get(spelled) ?? []), name]);
  }
  return [...named.values()].filter((names) => names.length > 1);
}
