package dev.cairn.interop.coprocessor;

import java.io.ByteArrayInputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtConstructor;
import javassist.CtMethod;
import javassist.CtNewMethod;
import javassist.LoaderClassPath;
import javassist.NotFoundException;

/**
 * Changes classes when they are loaded: HBase's test utilities start a Cairn instead of a mini
 * cluster, and the hosts of coprocessors are noted, so that tests find their own objects.
 */
public final class Agent {
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String CLUSTER = "dev.cairn.interop.coprocessor.Cluster.";
  private static final String HOSTS = "dev.cairn.interop.coprocessor.Hosts.";

  private static final Map<String, Change> CHANGES = new HashMap<>();

  private Agent() {}

  /** Changes one class. */
  @FunctionalInterface
  private interface Change {
    void apply(CtClass type) throws Exception;
  }

  static {
    CHANGES.put(
        HBASE + "HBaseTestingUtility",
        type -> {
          String mini = "Lorg/apache/hadoop/hbase/MiniHBaseCluster;";
          String option = "(Lorg/apache/hadoop/hbase/StartMiniClusterOption;)";
          String table = "(Lorg/apache/hadoop/hbase/TableName;";
          set(type, "startMiniCluster", option + mini, "return " + CLUSTER + "start($0);");
          set(type, "startMiniHBaseCluster", option + mini, "return " + CLUSTER + "start($0);");
          set(type, "restartHBaseCluster", option + "V", CLUSTER + "restart($0);");
          set(type, "shutdownMiniCluster", "()V", CLUSTER + "stop($0);");
          set(type, "shutdownMiniHBaseCluster", "()V", CLUSTER + "stop($0);");
          set(type, "getMiniHBaseCluster", "()" + mini, "return " + CLUSTER + "mini();");
          set(
              type,
              "getHBaseClusterInterface",
              "()Lorg/apache/hadoop/hbase/HBaseCluster;",
              "return " + CLUSTER + "mini();");
          setAll(type, "startMiniDFSCluster", "return " + CLUSTER + "files();");
          setAll(type, "getDFSCluster", "return " + CLUSTER + "files();");
          setAll(type, "shutdownMiniDFSCluster", "");
          set(type, "startMiniMapReduceCluster", "(I)V", CLUSTER + "runJobsHere($0);");
          setAll(type, "shutdownMiniMapReduceCluster", "");
          set(type, "flush", "()V", CLUSTER + "flush((org.apache.hadoop.hbase.TableName) null);");
          set(type, "flush", table + ")V", CLUSTER + "flush($1);");
          set(type, "compact", "(Z)V", CLUSTER + "compact((org.apache.hadoop.hbase.TableName) null, $1);");
          set(type, "compact", table + "Z)V", CLUSTER + "compact($1, $2);");
          setAll(type, "getRSForFirstRegionInTable", "return " + CLUSTER + "server();");
          setAll(type, "predicateNoRegionsInTransition", "return " + CLUSTER + "settled();");
          for (String name :
              new String[] {
                "killMiniHBaseCluster",
                "startMiniDFSClusterForTestWAL",
                "setupMiniKdc",
                "getSplittableRegion",
                "getOtherRegionServer",
                "expireMasterSession",
                "expireRegionServerSession",
                "moveRegionAndWait",
                "assignRegion",
                "getAllOnlineRegions"
              }) {
            refuse(type, name);
          }
        });
    CHANGES.put(
        HBASE + "HBaseZKTestingUtility",
        type -> {
          setAll(type, "shutdownMiniZKCluster", "");
          setAll(type, "startMiniZKCluster", "return null;");
          refuse(type, "getZkCluster");
        });
    for (String host :
        new String[] {
          "regionserver.RegionCoprocessorHost",
          "regionserver.RegionServerCoprocessorHost",
          "master.MasterCoprocessorHost"
        }) {
      CHANGES.put(
          HBASE + host,
          type -> {
            for (CtConstructor constructor : type.getDeclaredConstructors()) {
              constructor.insertAfter(HOSTS + "note($0);");
            }
            for (CtMethod method : type.getDeclaredMethods("postClose")) {
              method.insertAfter(HOSTS + "closed($0);", true);
            }
          });
    }
    CHANGES.put( // Clock.SYSTEM; tests set the time of HBase's servers
        "dev.cairn.engine.time.Clock$1",
        type ->
            setAll(
                type,
                "currentTimeMillis",
                "return org.apache.hadoop.hbase.util.EnvironmentEdgeManager.currentTime();"));
    CHANGES.put( // settings that servers read again
        "dev.cairn.server.config.LiveConfig",
        type -> setAll(type, "withoutFile", "return " + CLUSTER + "site();"));
    CHANGES.put( // leave the methods of the next change as they are
        "dev.cairn.coprocessor.facade.UnservedMethods",
        type -> {
          for (CtMethod method : type.getDeclaredMethods("override")) {
            method.insertBefore(
                "if ($2.equals(\"HRegion\") && $4.startsWith(\"(Z)\")"
                    + " && ($3.equals(\"flush\") || $3.equals(\"compact\"))) { return; }");
          }
        });
    CHANGES.put(
        "dev.cairn.coprocessor.facade.RegionFacade",
        type -> {
          addIfMissing(
              type,
              "getCoprocessorHost",
              "public org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost"
                  + " getCoprocessorHost() { return "
                  + HOSTS
                  + "ofRegion($0); }");
          addIfMissing(
              type,
              "flush",
              "public org.apache.hadoop.hbase.regionserver.HRegion.FlushResult flush(boolean force)"
                  + " { "
                  + CLUSTER
                  + "flush($0); return null; }");
          addIfMissing(
              type,
              "compact",
              "public void compact(boolean major) { " + CLUSTER + "compact($0, $1); }");
        });
  }

  private static void set(CtClass type, String name, String descriptor, String body)
      throws Exception {
    try {
      type.getMethod(name, descriptor).setBody("{ " + body + " }");
    } catch (NotFoundException e) {
      System.err.println("[tests] " + type.getName() + " has no " + name + descriptor);
    }
  }

  private static void setAll(CtClass type, String name, String body) throws Exception {
    for (CtMethod method : type.getDeclaredMethods(name)) {
      method.setBody("{ " + body + " }");
    }
  }

  private static void refuse(CtClass type, String name) throws Exception {
    setAll(
        type,
        name,
        "throw dev.cairn.interop.coprocessor.NotServed.of(\"HBaseTestingUtility." + name + "\");");
  }

  private static void addIfMissing(CtClass type, String name, String source) throws Exception {
    if (type.getDeclaredMethods(name).length == 0) {
      type.addMethod(CtNewMethod.make(source, type));
    }
  }

  /** Called by the JVM before the program starts. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    ClassPool pool = new ClassPool(true);
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            Change change = name == null ? null : CHANGES.get(name.replace('/', '.'));
            if (change == null) {
              return null;
            }
            try {
              pool.appendClassPath(new LoaderClassPath(loader));
              CtClass type = pool.makeClass(new ByteArrayInputStream(bytes));
              change.apply(type);
              byte[] changed = type.toBytecode();
              type.detach();
              return changed;
            } catch (Exception e) {
              System.err.println("[tests] cannot change " + name + ": " + e);
              e.printStackTrace();
              return null;
            }
          }
        });
  }
}
