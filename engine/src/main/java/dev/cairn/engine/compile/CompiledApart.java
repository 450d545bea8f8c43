package dev.cairn.engine.compile;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that the JVM's compilers call and never repeat in its callers. Holds for the
 * method's overloads too. The build writes all marked methods to {@code lib/cairn.calls}, which
 * {@code bin/cairn} hands to the servers' JVM, so the mark may move and its method may be renamed.
 *
 * <p>C2 compiles a method with all that it calls and that is not compiled yet. Without marks, the
 * path of a call, from the network's event to the memstore, becomes a few methods of 5 to 10 KB of
 * bytecode, each compiled for itself and again with what is above it; and the first call of another
 * kind throws away the whole of it. Mark the joints of that path: methods that are passed a few
 * times a call, and never once a cell. docs/PERFORMANCE.md has what that saves.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CompiledApart {
  /** Returns which joint of the path the method is. */
  String value();
}
