// Fastify's own compilers of schemas to code, with a memory: what is the same schema is compiled once a process, for
// all routes and all apps. Otherwise each route compiles the error answers anew, which is most of a start.
import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
/** As Fastify calls both. */
type Factory = (others: unknown, settings: unknown) => (route: { schema: unknown }) => unknown;

/** A compiler that is not the default gets schemas of headers as they are written: names in lower case. */
export const schemaCompilers = {
  buildValidator: remembering(AjvCompiler() as Factory),
  buildSerializer: remembering(SerializerSelector() as Factory),
} as Factories;

/** What a schema means depends on the settings, and on the schemas that it may refer to. */
function remembering(build: Factory): Factory {
  const compilers = new Map<string, ReturnType<Factory>>();
  return (others, settings) =>
    remembered(compilers, [others, settings], () => {
      const compile = build(others, settings);
      const compiled = new Map<string, unknown>();
      return (route) => remembered(compiled, route.schema, () => compile(route));
    });
}

function remembered<Made>(memory: Map<string, Made>, of: unknown, make: () => Made): Made {
  const key = JSON.stringify(of);
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
