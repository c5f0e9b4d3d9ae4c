// Types that read the generated interface: which paths there are, what each takes and what it answers. Nothing here
// runs.
import type { paths } from './api.gen.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have this method. */
export type PathWith<Verb extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Verb, object> ? Path : never;
}[keyof paths];

type OperationAt<Verb extends Method, Path extends PathWith<Verb>> = paths[Path][Verb];

type Part<Operation, Name extends 'path' | 'query'> = Operation extends { parameters: { [K in Name]?: infer Value } }
  ? NonNullable<Value>
  : never;
/** A key belongs to one workspace, so the client knows this one itself. */
type PathPart<Operation> = WithoutWorkspace<Part<Operation, 'path'>>;
type WithoutWorkspace<Value> = [Value] extends [never] ? never : Omit<Value, 'workspace_id'>;
type BodyPart<Operation> = Operation extends { requestBody?: infer Value }
  ? NonNullable<Value> extends { content: { 'application/json': infer Body } }
    ? NonNullable<Body>
    : never
  : never;

/** A field of the input, absent when the operation takes none, optional when everything in it is. */
type Field<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : NameIn<Value> extends never
    ? unknown
    : object extends Value
      ? { [K in Name]?: Value }
      : { [K in Name]: Value };

type NameIn<Shapes> = Shapes extends unknown ? keyof Shapes : never;

/** Of a body that has several shapes those with this field. */
export type ShapeWith<Shapes, Name extends string> = Shapes extends unknown
  ? Name extends keyof Shapes
    ? Shapes
    : never
  : never;

type InputOf<Operation> = Field<'path', PathPart<Operation>> &
  Field<'query', Part<Operation, 'query'>> &
  Field<'body', BodyPart<Operation>>;

type AnswerOf<Operation> = Operation extends { responses: infer Responses } ? Responses[keyof Responses] : never;
type JsonOf<Answer> = Answer extends { content: { 'application/json': { data: infer Data } } } ? Data : never;

export type Input<Verb extends Method, Path extends PathWith<Verb>> = InputOf<OperationAt<Verb, Path>>;
export type Body<Verb extends Method, Path extends PathWith<Verb>> = BodyPart<OperationAt<Verb, Path>>;
export type Query<Path extends PathWith<'get'>> = Part<OperationAt<'get', Path>, 'query'>;
/** The `data` of a successful answer. */
export type Data<Verb extends Method, Path extends PathWith<Verb>> = JsonOf<AnswerOf<OperationAt<Verb, Path>>>;

/** The paths of paged lists. */
export type ListPath = {
  [Path in PathWith<'get'>]: Data<'get', Path> extends readonly unknown[]
    ? Query<Path> extends { cursor?: string }
      ? Path
      : never
    : never;
}[PathWith<'get'>];
export type Item<Path extends ListPath> = Data<'get', Path> extends readonly (infer Element)[] ? Element : never;
