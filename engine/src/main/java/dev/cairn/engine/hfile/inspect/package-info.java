/**
 * Tools over a single store file: {@link dev.cairn.engine.hfile.inspect.HFileInspector} shows how
 * it is built, {@link dev.cairn.engine.hfile.inspect.HFileVerifier} checks that its parts agree.
 *
 * <p>Imports {@code reader} and the packages below. Nothing in the engine imports it.
 */
package dev.cairn.engine.hfile.inspect;
