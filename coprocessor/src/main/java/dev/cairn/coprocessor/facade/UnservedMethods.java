package dev.cairn.coprocessor.facade;

import static org.objectweb.asm.Opcodes.ACC_BRIDGE;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates the class of a facade's objects: a subclass in which each method of HBase's class that
 * the facade does not override throws {@link UnsupportedOperationException} with its name. An
 * inherited method would find null fields, because no constructor of HBase runs. Static, private
 * and final methods cannot be overridden, and stay.
 *
 * <p>The generated class is in the package and loader of HBase's class: the JVM lets only such a
 * class override methods that are visible in the package alone. Methods are found in the class
 * files, since reflection would load the class of each parameter and result.
 */
final class UnservedMethods {
  private static final String EXCEPTION = Type.getInternalName(UnsupportedOperationException.class);

  private final Class<?> replaced;
  private final ClassWriter subclass = new ClassWriter(ClassWriter.COMPUTE_MAXS);

  /** Names and descriptors of the methods that the generated class must not override, or has. */
  private final Set<String> known = new HashSet<>();

  /**
   * Prepares one subclass.
   *
   * @param replaced the class of HBase
   */
  UnservedMethods(Class<?> replaced) {
    this.replaced = replaced;
  }

  /** Defines the subclass of {@code facade}; once for each facade. */
  <T> Class<? extends T> subclass(Class<T> facade) throws IllegalAccessException {
    subclass.visit(
        Opcodes.V17,
        ACC_PUBLIC | ACC_FINAL | ACC_SUPER,
        Type.getInternalName(replaced) + "$" + facade.getSimpleName(),
        null,
        Type.getInternalName(facade),
        null);
    for (Method method : Object.class.getDeclaredMethods()) {
      known.add(method.getName() + Type.getMethodDescriptor(method));
    }
    for (Class<?> type = facade; type != Object.class; type = type.getSuperclass()) {
      read(type, !type.isAssignableFrom(replaced));
    }
    return MethodHandles.privateLookupIn(replaced, MethodHandles.lookup())
        .defineClass(subclass.toByteArray())
        .asSubclass(facade);
  }

  /** Overrides the methods of a class that are not known, or notes those of a facade as known. */
  private void read(Class<?> type, boolean ofFacade) {
    ClassVisitor methods =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            if ((access & (ACC_STATIC | ACC_PRIVATE)) == 0
                && !name.equals("<init>")
                && known.add(name + descriptor)
                && !ofFacade
                // A bridge calls the method of the same name.
                && (access & (ACC_FINAL | ACC_BRIDGE)) == 0) {
              override(access, type.getSimpleName(), name, descriptor);
            }
            return null;
          }
        };
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      new ClassReader(bytes).accept(methods, ClassReader.SKIP_CODE);
    } catch (IOException e) {
      throw new UncheckedIOException(type + " cannot be read", e);
    }
  }

  private void override(int access, String type, String name, String descriptor) {
    MethodVisitor code =
        subclass.visitMethod(access & (ACC_PUBLIC | ACC_PROTECTED), name, descriptor, null, null);
    code.visitCode();
    code.visitTypeInsn(Opcodes.NEW, EXCEPTION);
    code.visitInsn(Opcodes.DUP);
    code.visitLdcInsn(type + "." + name + " is not served by Cairn");
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, EXCEPTION, "<init>", "(Ljava/lang/String;)V", false);
    code.visitInsn(Opcodes.ATHROW);
    code.visitMaxs(0, 0); // computed
    code.visitEnd();
  }
}
