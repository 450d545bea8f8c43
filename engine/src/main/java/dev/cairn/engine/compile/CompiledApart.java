package dev.cairn.engine.compile;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that the JVM's compilers never inline. Applies to the method's overloads, too. The
 * build writes all marked methods to {@code lib/cairn.calls}, which {@code bin/cairn} passes to the
 * servers' JVM. So a marked method may be renamed, and the mark may move to another one.
 *
 * <p>C2 inlines called methods that are not compiled yet. Without marks, it compiles the path of a
 * call, from the network's event to the memstore, as a few methods of 5 to 10 KB of bytecode, and
 * each of them again as a part of its callers. The first call of another kind invalidates all of
 * that code. Mark methods at the joints of the path: they run a few times a call, and never once a
 * cell. bench/NOTES.md has the measurements.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CompiledApart {
  /** Returns the part of the path that the method does. */
  String value();
}
