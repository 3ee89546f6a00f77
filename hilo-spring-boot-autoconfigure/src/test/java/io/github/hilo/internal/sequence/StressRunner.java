package io.github.hilo.internal.sequence;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Lets threads meet inside this process, with the runner that jcstress generates for its
 * forks: starting the latter takes longer than they run.
 */
final class StressRunner {

	private static final Options OPTIONS = options("-m", "quick", "-time", "300", "-iters", "1", "-hs", "64",
			"-spinStyle", "THREAD_YIELD");

	private StressRunner() {
	}

	/**
	 * The names of all stress tests.
	 */
	static Set<String> names() {
		return new TreeSet<>(TestList.tests());
	}

	/**
	 * Runs a stress test.
	 * @return what the threads saw that they may not, or an empty string
	 */
	static String forbidden(String name) throws ReflectiveOperationException {
		TestInfo test = TestList.getInfo(name);
		SchedulingClass threads = new SchedulingClass(AffinityMode.NONE, test.threads(), NodeType.PACKAGE);
		TestConfig config = new TestConfig(OPTIONS, test, 0, List.of(), CompileMode.UNIFIED, threads);
		Runner<?> runner = Class.forName(test.generatedRunner())
			.asSubclass(Runner.class)
			.getConstructor(ForkedTestConfig.class)
			.newInstance(new ForkedTestConfig(config));
		TestResult result = runner.run();
		result.setConfig(config);
		TestGrading grading = result.grading();
		boolean passed = result.status() == Status.NORMAL && grading.isPassed && result.getTotalCount() > 0;
		return passed ? "" : result.status() + " " + grading.failureMessages + result.getMessages();
	}

	private static Options options(String... arguments) {
		try {
			Options options = new Options(arguments);
			options.parse();
			return options;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
