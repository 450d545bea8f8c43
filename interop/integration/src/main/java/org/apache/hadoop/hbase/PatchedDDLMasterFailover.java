package org.apache.hadoop.hbase;

import java.util.concurrent.ThreadLocalRandom;
import javassist.CannotCompileException;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.expr.ExprEditor;
import javassist.expr.MethodCall;

/**
 * Runs {@link IntegrationTestDDLMasterFailover} with valid names of namespaces. The original names
 * them by a random number that is negative half of the time. HBase's master refuses the minus sign
 * ({@link TableName#isLegalNamespaceName(byte[])}), as Cairn's does, and the exception ends the
 * test's thread. All threads end within minutes, and the test fails against any server. This class
 * is in HBase's package because the original's classes are visible only there.
 */
public final class PatchedDDLMasterFailover {
  /** The name of the test, whose class is loaded only after it has been changed. */
  private static final String TEST = "org.apache.hadoop.hbase.IntegrationTestDDLMasterFailover";

  private PatchedDDLMasterFailover() {}

  /**
   * Runs the test.
   *
   * @param arguments the arguments of {@link IntegrationTestBase}
   * @throws Exception if the test cannot run
   */
  public static void main(String[] arguments) throws Exception {
    ClassPool classes = ClassPool.getDefault();
    CtClass test = classes.get(TEST);
    test.getDeclaredMethod("runTest").instrument(new StoppedMonkey());
    test.toClass(PatchedDDLMasterFailover.class);
    CtClass action = classes.get(TEST + "$CreateNamespaceAction");
    action.getDeclaredMethod("createNamespaceDesc").instrument(new PositiveNumbers());
    action.toClass(PatchedDDLMasterFailover.class);
    IntegrationTestDDLMasterFailover.main(arguments);
  }

  /** Replaces random numbers by random numbers that are not negative. */
  private static final class PositiveNumbers extends ExprEditor {
    @Override
    public void edit(MethodCall call) throws CannotCompileException {
      if (call.getClassName().equals(ThreadLocalRandom.class.getName())
          && call.getMethodName().equals("nextInt")) {
        call.replace("$_ = $0.nextInt(Integer.MAX_VALUE);");
      }
    }
  }

  /** Stops the monkey before hbck reads where the regions are. */
  private static final class StoppedMonkey extends ExprEditor {
    @Override
    public void edit(MethodCall call) throws CannotCompileException {
      if (call.getMethodName().equals("doFsck")) {
        call.replace("cleanUpMonkey(\"hbck comes\"); $_ = $proceed($$);");
      }
    }
  }
}
