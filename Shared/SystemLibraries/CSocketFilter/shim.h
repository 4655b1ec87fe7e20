#pragma once
#include <linux/filter.h>
